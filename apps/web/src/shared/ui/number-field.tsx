import { InputAdornment, OutlinedInput } from '@mui/material'
import { type FocusEventHandler, type Ref, useState } from 'react'
import { Field, type FieldTexts } from './field.tsx'
import { numberFieldText, parseNumberText } from './number-text.ts'

export interface NumberFieldProps extends FieldTexts {
  name?: string
  /** null is an empty field. */
  value: number | null
  onChange: (value: number | null) => void
  onBlur?: FocusEventHandler
  ref?: Ref<HTMLInputElement>
  min?: number
  max?: number
  step?: number
  /** At the right inside: USDT, bps, %. */
  unit?: string
  disabled?: boolean
}

/** A number with its unit at the right inside. Keeps what is being typed ('0.') until it is a number. */
export function NumberField({
  label,
  labelNote,
  help,
  error,
  value,
  onChange,
  ref,
  min,
  max,
  step,
  unit,
  ...input
}: NumberFieldProps) {
  const [text, setText] = useState(() => numberFieldText(value))
  const shown = parseNumberText(text) === value ? text : numberFieldText(value)
  return (
    <Field {...{ label, help, error }} {...(labelNote !== undefined && { labelNote })}>
      {({ controlId, describedBy, invalid }) => (
        <OutlinedInput
          {...input}
          id={controlId}
          type="number"
          error={invalid}
          inputRef={ref}
          value={shown}
          onChange={(event) => {
            setText(event.target.value)
            onChange(parseNumberText(event.target.value))
          }}
          {...(unit !== undefined && { endAdornment: <InputAdornment position="end">{unit}</InputAdornment> })}
          slotProps={{
            input: {
              min,
              max,
              step: step ?? 'any',
              inputMode: 'decimal',
              'aria-describedby': describedBy,
              'aria-invalid': invalid,
              // A wheel over a focused number field would change it while the page scrolls.
              onWheel: (event) => event.currentTarget.blur(),
            },
          }}
          sx={{
            '& input': { MozAppearance: 'textfield' },
            '& input::-webkit-outer-spin-button, & input::-webkit-inner-spin-button': { display: 'none' },
          }}
        />
      )}
    </Field>
  )
}
