import { type ComponentPropsWithRef, useId } from 'react'
import { useControlsOff } from './controls-off.ts'
import { Note, Text } from './primitives.tsx'
import css from './switch-row.module.css'

export interface SwitchRowProps {
  title: string
  /** One sentence on what it does now. */
  text: string
  /** Amber: the sentence is a warning. */
  warns?: boolean
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** What is on or off. `aria-label` is its name. */
export const Switch = ({
  onChange,
  ...rest
}: Omit<ComponentPropsWithRef<'input'>, 'onChange' | 'type'> & { onChange: (checked: boolean) => void }) => (
  <input
    {...rest}
    type="checkbox"
    role="switch"
    aria-checked={rest.checked}
    className={css.switch}
    onChange={({ target }) => onChange(target.checked)}
  />
)

/** A switch inside a form, with its name and what it does. */
export function SwitchRow({ title, text, warns = false, checked, disabled = false, onChange }: SwitchRowProps) {
  const labelId = useId()
  const areOff = useControlsOff()
  return (
    <div className={css.row}>
      <div className={css.words}>
        <Text as="div" size="small" weight={500} id={labelId}>
          {title}
        </Text>
        <Note tone={warns ? 'warn' : 'text2'}>{text}</Note>
      </div>
      <Switch checked={checked} disabled={disabled || areOff} onChange={onChange} aria-labelledby={labelId} />
    </div>
  )
}
