import type { ReactNode } from 'react'
import css from './toggle-group.module.css'

export interface ToggleChoice<Value extends string> {
  value: Value
  label: ReactNode
  disabled?: boolean
}

interface ToggleLook {
  /** Said by a screen reader before the choices. */
  label: string
  size?: 'small' | 'medium'
  fullWidth?: boolean
}

export interface ToggleGroupProps<Value extends string> extends ToggleLook {
  value: Value
  onChange: (value: Value) => void
  choices: readonly ToggleChoice<Value>[]
}

const lookOf = ({ size, fullWidth }: ToggleLook) =>
  [css.group, size === 'small' && css.small, fullWidth && css.fullWidth].filter(Boolean).join(' ')

/** One of two or three choices, all in sight. One is always chosen. */
export function ToggleGroup<Value extends string>({ value, onChange, choices, ...look }: ToggleGroupProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look and a layout of its own
    <div role="group" aria-label={look.label} className={lookOf(look)}>
      {choices.map((choice) => {
        const choose = () => choice.value !== value && onChange(choice.value)
        return (
          <button
            key={choice.value}
            type="button"
            value={choice.value}
            aria-pressed={choice.value === value}
            disabled={choice.disabled ?? false}
            onClick={choose}
            // A reply that comes before the release may move it away from under the pointer: there is no click then.
            onMouseDown={({ button }) => button === 0 && choose()}
            // Not where a finger begins: it may want to scroll.
            onPointerUp={({ pointerType }) => pointerType === 'touch' && choose()}
          >
            {choice.label}
          </button>
        )
      })}
    </div>
  )
}

/** One thing that is on or off, in the look of a `ToggleGroup`. */
export const Toggle = ({
  isOn,
  onChange,
  children,
  ...look
}: ToggleLook & { isOn: boolean; onChange: (isOn: boolean) => void; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look and a layout of its own
  <div role="group" aria-label={look.label} className={lookOf(look)}>
    <button type="button" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {children}
    </button>
  </div>
)
