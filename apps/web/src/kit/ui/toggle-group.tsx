import { ToggleButton, ToggleButtonGroup } from '@mui/material'
import type { ReactNode } from 'react'

export interface ToggleChoice<Value extends string> {
  value: Value
  label: ReactNode
  disabled?: boolean
}

export interface ToggleGroupProps<Value extends string> {
  /** Said by a screen reader before the choices. */
  label: string
  value: Value
  onChange: (value: Value) => void
  choices: readonly ToggleChoice<Value>[]
  size?: 'small' | 'medium'
  fullWidth?: boolean
}

/** One of two or three choices, all in sight. One is always chosen. */
export function ToggleGroup<Value extends string>({
  label,
  value,
  onChange,
  choices,
  size = 'medium',
  fullWidth = false,
}: ToggleGroupProps<Value>) {
  return (
    <ToggleButtonGroup
      exclusive
      aria-label={label}
      size={size}
      fullWidth={fullWidth}
      value={value}
      onChange={(_, next: Value | null) => {
        if (next !== null) onChange(next)
      }}
    >
      {choices.map((choice) => {
        // A reply that comes before the release may move it away from under the pointer: there is no click then.
        const choose = () => choice.value !== value && onChange(choice.value)
        return (
          <ToggleButton
            key={choice.value}
            value={choice.value}
            disabled={choice.disabled ?? false}
            onMouseDown={({ button }) => button === 0 && choose()}
            // Not where a finger begins: it may want to scroll.
            onPointerUp={({ pointerType }) => pointerType === 'touch' && choose()}
          >
            {choice.label}
          </ToggleButton>
        )
      })}
    </ToggleButtonGroup>
  )
}
