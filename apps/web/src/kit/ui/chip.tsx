import { X } from 'lucide-react'
import type { CSSProperties, KeyboardEvent, ReactElement, ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import css from './chip.module.css'
import layout from './layout.module.css'

/**
 * Tinted in a colour that means something, accent for what is current or under way, filled neutral for state and facts,
 * outline for limits and visibility, quiet for what is put aside, plain for a state beside the name of what is in it; alarm is filled with amber, for real money alone.
 */
export type ChipTone = 'up' | 'down' | 'warn' | 'alarm' | 'accent' | 'filled' | 'outline' | 'quiet' | 'plain'

export interface ChipProps {
  label: ReactNode
  tone?: ChipTone
  icon?: ReactElement | undefined
  /** The colour of a dot before the word; the word says what it means. */
  dot?: string
  /** Makes the chip removable: the only chip that can be pressed. */
  onRemove?: () => void
  /** Said by a screen reader and on hover where the label is short. */
  title?: string
  className?: string | undefined
  style?: CSSProperties
}

/** A small fact, 22 px high. Chips tell; only one with a cross can be pressed. Styles of pages find it by `data-chip`. */
export function Chip({ label, tone = 'filled', icon, dot, onRemove, className, ...rest }: ChipProps) {
  const remove = onRemove !== undefined && {
    role: 'button',
    tabIndex: 0,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Backspace' && event.key !== 'Delete') return
      event.preventDefault()
      onRemove()
    },
  }
  const classes = [css.chip, css[tone], remove && layout.touchAlone, className]
  return (
    <div {...rest} {...remove} data-chip="root" className={classes.filter(Boolean).join(' ')}>
      {dot !== undefined ? (
        <span data-chip="icon" aria-hidden className={`${css.icon} ${css.dot}`} style={{ backgroundColor: dot }} />
      ) : (
        icon !== undefined && (
          <span data-chip="icon" className={css.icon}>
            {icon}
          </span>
        )
      )}
      <span data-chip="label" className={css.label}>
        {label}
      </span>
      {onRemove !== undefined && (
        <X
          className={css.remove}
          onClick={(event) => {
            event.stopPropagation()
            onRemove()
          }}
        />
      )}
    </div>
  )
}

const COLORS = { good: colors.up, bad: colors.down, unknown: colors.warn, busy: colors.accent } as const

/** A state of health: green, red, amber where it is not known, blue while it is made. The word beside the dot says which. */
export function HealthDot({ state, children }: { state: keyof typeof COLORS; children: ReactNode }) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 6, verticalAlign: 'top' }}>
      <span
        aria-hidden
        style={{ width: 8, height: 8, borderRadius: '50%', flexShrink: 0, backgroundColor: COLORS[state] }}
      />
      {children}
    </span>
  )
}
