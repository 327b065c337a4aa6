import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { useControlsOff } from './controls-off.ts'
import layout from './layout.module.css'
import { Note, Row, Text } from './primitives.tsx'
import css from './setting-row.module.css'
import switchRowCss from './switch-row.module.css'

export interface SettingRowProps {
  title: ReactNode
  children?: ReactNode
  /** Before the words. */
  icon?: ReactNode
  /** Buttons or a switch at the right. */
  action?: ReactNode
}

/** A row of a card that reaches its edges: what it is, a sentence, and what can be done. */
export const SettingRow = ({ title, children, icon, action }: SettingRowProps) => (
  <Row gap={1.5} wrap className={layout.listRow}>
    {icon !== undefined && <div className={css.icon}>{icon}</div>}
    <div className={css.words}>
      <Text as="div" weight={500}>
        {title}
      </Text>
      {children !== undefined && (
        <Text as="div" size="small" breaks tone="text2">
          {children}
        </Text>
      )}
    </div>
    {action !== undefined && (
      <Text as="div" size="small" tone="text2" className={css.action}>
        {action}
      </Text>
    )}
  </Row>
)

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
    className={switchRowCss.switch}
    onChange={({ target }) => onChange(target.checked)}
  />
)

/** A switch inside a form, with its name and what it does. */
export function SwitchRow({ title, text, warns = false, checked, disabled = false, onChange }: SwitchRowProps) {
  const labelId = useId()
  const areOff = useControlsOff()
  return (
    <Row gap={1} className={switchRowCss.row}>
      <div className={layout.grow}>
        <Text as="div" size="small" weight={500} id={labelId}>
          {title}
        </Text>
        <Note tone={warns ? 'warn' : 'text2'}>{text}</Note>
      </div>
      <Switch checked={checked} disabled={disabled || areOff} onChange={onChange} aria-labelledby={labelId} />
    </Row>
  )
}
