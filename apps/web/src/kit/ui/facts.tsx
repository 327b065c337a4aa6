import type { ReactNode } from 'react'
import { UNKNOWN } from '../format/number.ts'
import { colors } from '../theme/tokens.ts'
import { Explained } from './explained.tsx'
import css from './facts.module.css'
import layout from './layout.module.css'
import { Text } from './primitives.tsx'

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

/** Label left, value right, row by row. `well` puts them on the darker ground of a summary inside a card. */
export function Facts({ facts, well = false }: { facts: readonly Fact[]; well?: boolean }) {
  return (
    <dl className={well ? `${css.facts} ${css.well}` : css.facts}>
      {facts.map((fact) => (
        <div key={fact.label} className={css.fact}>
          <Text as="dt" size="small" tone="text2" className={css.label}>
            <Explained label={fact.label} />
          </Text>
          <Text as="dd" size="small" breaks weight={500} className={css.value}>
            {fact.value}
          </Text>
        </div>
      ))}
    </dl>
  )
}
