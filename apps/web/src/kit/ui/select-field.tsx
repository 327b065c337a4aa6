import { MenuItem, Select } from '@mui/material'
import { ChevronDown } from 'lucide-react'
import type { FocusEventHandler, Ref } from 'react'
import { useControlsOff } from './controls-off.ts'
import { Field, type FieldTexts } from './field.tsx'
import css from './select-field.module.css'
import { Text } from './text.tsx'

export interface SelectOption<Value extends string> {
  value: Value
  label: string
  /** Quiet, at the right of the option. */
  note?: string
  disabled?: boolean
  /** Grey, but it can be chosen: what it lacks is said then. */
  dim?: boolean
}

export interface SelectFieldProps<Value extends string> extends FieldTexts {
  name?: string
  /** '' where nothing is chosen. */
  value: Value | ''
  onChange: (value: Value) => void
  onBlur?: FocusEventHandler
  ref?: Ref<HTMLInputElement>
  options: readonly SelectOption<Value>[]
  /** Stands where nothing is chosen, or why nothing can be. */
  placeholder?: string
  disabled?: boolean
}

const Chevron = (props: { className?: string }) => <ChevronDown className={props.className} />

/** One of several choices; for two or three use ToggleGroup. */
export function SelectField<Value extends string>({
  label,
  labelNote,
  help,
  error,
  value,
  onChange,
  ref,
  options,
  placeholder = 'Select',
  disabled = false,
  ...input
}: SelectFieldProps<Value>) {
  const areControlsOff = useControlsOff()
  const chosen = options.find((option) => option.value === value)
  return (
    <Field {...{ label, help, error }} labelFor={false} {...(labelNote !== undefined && { labelNote })}>
      {({ labelId, controlId, describedBy, invalid }) => (
        <Select<Value | ''>
          {...input}
          disabled={disabled || areControlsOff}
          id={controlId}
          labelId={labelId}
          inputRef={ref}
          error={invalid}
          displayEmpty
          value={chosen === undefined ? '' : value}
          onChange={(event) => onChange(event.target.value as Value)}
          IconComponent={Chevron}
          renderValue={() => (chosen === undefined ? <span className={css.note}>{placeholder}</span> : chosen.label)}
          SelectDisplayProps={{ 'aria-describedby': describedBy, 'aria-invalid': invalid }}
          MenuProps={{
            anchorOrigin: { vertical: 'bottom', horizontal: 'left' },
            transformOrigin: { vertical: 'top', horizontal: 'left' },
            slotProps: { paper: { style: { maxHeight: 320 } } },
          }}
        >
          {options.map((option) => (
            <MenuItem
              key={option.value}
              value={option.value}
              disabled={option.disabled ?? false}
              {...(option.dim === true && { style: { color: 'var(--text3)' } })}
            >
              <span className={css.value}>{option.label}</span>
              {option.note !== undefined && (
                <Text as="span" size="small" tone="text3">
                  {option.note}
                </Text>
              )}
            </MenuItem>
          ))}
        </Select>
      )}
    </Field>
  )
}
