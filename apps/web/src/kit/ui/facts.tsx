import { createContext, type ReactNode, useContext, useId, useRef } from 'react'
import { UNKNOWN } from '../format/number.ts'
import { colors } from '../theme/tokens.ts'
import css from './facts.module.css'
import layout from './layout.module.css'
import { placeBelow } from './menu.tsx'
import { Columns, Note, Row, Text } from './primitives.tsx'

export interface FigureProps {
  label: string
  value: ReactNode
  /** Written once, small, after the value. */
  unit?: string
  size?: 'L' | 'M' | 'S'
  tone?: 'plain' | 'quiet' | 'up' | 'down'
}

const TONE = { plain: colors.text, quiet: colors.text2, up: colors.up, down: colors.down } as const

/** A label over a large number: Final 1,095.27 USDT. */
export function Figure({ label, value, unit, size = 'M', tone = 'plain' }: FigureProps) {
  return (
    <div className={layout.shrinks}>
      <Text as="div" size="label" tone="text2">
        <Explained label={label} />
      </Text>
      <Text as="div" size={`number${size}`} style={{ color: value === UNKNOWN ? colors.text3 : TONE[tone] }}>
        {value}
        {unit !== undefined && (
          <>
            {' '}
            <Text as="span" size="label" tone="text3" style={{ letterSpacing: 0 }}>
              {unit}
            </Text>
          </>
        )}
      </Text>
    </div>
  )
}

export interface Fact {
  label: string
  value: ReactNode
}

/** Label left, value right, row by row; what is false is left out. `well` puts them on the darker ground of a summary inside a card. */
export function Facts({ facts, well = false }: { facts: readonly (Fact | false)[]; well?: boolean }) {
  return (
    <dl className={well ? `${css.facts} ${css.well}` : css.facts}>
      {facts
        .filter((fact) => fact !== false)
        .map((fact) => (
          <Row key={fact.label} gap={2} between align="stretch" className={layout.shrinks}>
            <Text as="dt" size="small" tone="text2" className={css.label}>
              <Explained label={fact.label} />
            </Text>
            <Text as="dd" size="small" breaks weight={500} className={css.value}>
              {fact.value}
            </Text>
          </Row>
        ))}
    </dl>
  )
}

/** Figures that lead a card, side by side as far as there is room. */
export const EvidenceRow = ({ children }: { children: ReactNode }) => (
  <Columns gap={2} at={{ xs: 'repeat(auto-fit, minmax(min(100%, 128px), 1fr))' }}>
    {children}
  </Columns>
)

/** A figure and the line that makes it mean something. */
export const Evidence = ({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) => (
  <div className={layout.shrinks}>
    <Figure label={label} value={value} />
    <Note above={0.25}>{children}</Note>
  </div>
)

/** What a label means, where the product knows it: the kit itself knows no words. */
export const MeaningContext = createContext<(label: string) => string | undefined>(() => undefined)

/** A label with its meaning on hover and focus, above all else on the page; a plain label where none is known. */
export function Explained({ label }: { label: string }) {
  const meaning = useContext(MeaningContext)(label)
  const id = useId()
  const tip = useRef<HTMLElement>(null)
  if (meaning === undefined) return label
  const show = (word: HTMLElement) => {
    const shown = tip.current
    if (shown === null) return
    shown.showPopover?.()
    placeBelow(shown, word, { gapPx: 6, edgePx: 8 })
  }
  const hide = () => tip.current?.hidePopover?.()
  return (
    <>
      <dfn
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard opens its meaning by focus
        tabIndex={0}
        aria-describedby={id}
        onMouseEnter={(event) => show(event.currentTarget)}
        onMouseLeave={hide}
        onFocus={(event) => show(event.currentTarget)}
        onBlur={hide}
        onKeyDown={(event) => event.key === 'Escape' && hide()}
        className={css.word}
      >
        {label}
      </dfn>
      <span ref={tip} id={id} role="tooltip" popover="manual" className={css.tip}>
        {meaning}
      </span>
    </>
  )
}
