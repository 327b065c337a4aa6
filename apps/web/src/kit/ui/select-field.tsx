import { Field, type FieldTexts } from './field.tsx'
import { Text } from './primitives.tsx'
import { SelectControl } from './select-control.tsx'
import css from './select-field.module.css'

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
  /** '' where nothing is chosen. */
  value: Value | ''
  onChange: (value: Value) => void
  options: readonly SelectOption<Value>[]
  /** Stands where nothing is chosen, or why nothing can be. */
  placeholder?: string
  disabled?: boolean
}

/** One of several choices; for two or three use ToggleGroup. */
export function SelectField<Value extends string>({
  label,
  labelNote,
  help,
  error,
  value,
  onChange,
  options,
  placeholder = 'Select',
  disabled = false,
}: SelectFieldProps<Value>) {
  const chosen = options.find((option) => option.value === value)
  return (
    <Field {...{ label, help, error }} labelFor={false} {...(labelNote !== undefined && { labelNote })}>
      {(ids) => (
        <SelectControl
          ids={ids}
          disabled={disabled}
          heightPx={320}
          shown={chosen?.label ?? <span className={css.dim}>{placeholder}</span>}
          chosen={[value]}
          onChoose={onChange}
          items={options.map((option) => ({
            value: option.value,
            disabled: option.disabled,
            className: option.dim === true ? css.dim : undefined,
            content: (
              <>
                <span className={css.label}>{option.label}</span>
                {option.note !== undefined && (
                  <Text as="span" size="small" tone="text3">
                    {option.note}
                  </Text>
                )}
              </>
            ),
          }))}
        />
      )}
    </Field>
  )
}
