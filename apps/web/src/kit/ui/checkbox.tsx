import type { ComponentPropsWithRef, ReactNode } from 'react'
import css from './checkbox.module.css'
import layout from './layout.module.css'

const TICK = <path d="M4.2 8.3 6.9 11l5-5.6" stroke="var(--on-accent)" strokeWidth="2" strokeLinecap="round" />
const DASH = <path d="M4.5 8h7" stroke="var(--on-accent)" strokeWidth="2" strokeLinecap="round" />
const LOCK = (
  <>
    <rect x="4.5" y="7.25" width="7" height="5" rx="1" stroke="var(--text2)" />
    <path d="M6 7.25V5.5a2 2 0 0 1 4 0v1.75" stroke="var(--text2)" />
  </>
)
const LOOKS = {
  off: { fill: 'var(--inset)', edge: 'var(--field-hover)', sign: null },
  on: { fill: 'var(--accent)', edge: 'var(--accent)', sign: TICK },
  some: { fill: 'var(--accent)', edge: 'var(--accent)', sign: DASH },
  locked: { fill: 'var(--selected)', edge: 'var(--field-hover)', sign: LOCK },
} as const

interface CheckboxProps extends Omit<ComponentPropsWithRef<'input'>, 'onChange' | 'type'> {
  checked: boolean
  onChange: (checked: boolean) => void
  /** Some of what it stands for. */
  isPartial?: boolean
  /** Ticked for good: nobody can untick it. */
  isLocked?: boolean
  /** Beside the box; without it an `aria-label` is its name. */
  label?: ReactNode
  className?: string | undefined
}

export function Checkbox({
  checked,
  onChange,
  isPartial = false,
  isLocked = false,
  label,
  className,
  title,
  ...rest
}: CheckboxProps) {
  const { fill, edge, sign } = LOOKS[isLocked ? 'locked' : isPartial ? 'some' : checked ? 'on' : 'off']
  const box = (
    <span className={className === undefined ? css.box : `${css.box} ${className}`} title={title}>
      <input
        {...rest}
        type="checkbox"
        className={layout.unseen}
        checked={checked}
        ref={(input) => {
          if (input !== null) input.indeterminate = isPartial
        }}
        onChange={({ target }) => onChange(target.checked)}
      />
      <svg width={16} height={16} viewBox="0 0 16 16" fill="none" aria-hidden>
        <rect x=".75" y=".75" width="14.5" height="14.5" rx="3.5" fill={fill} stroke={edge} strokeWidth="1.5" />
        {sign}
      </svg>
    </span>
  )
  if (label === undefined) return box
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box has it
    <label className={css.labelled}>
      {box}
      {label}
    </label>
  )
}
