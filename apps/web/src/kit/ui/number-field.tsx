import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { UNKNOWN } from '../format/number.ts'
import { Field, type FieldTexts } from './field.tsx'
import { Input } from './text-field.tsx'

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
/** `1,000.50`, `1 000` and `1 000,5`: groups of three, then a mark of another kind before the decimals. */
const GROUPED =
  /^[+-]?[1-9]\d{0,2}(?:(?: \d{3})+(?:[.,]\d*)?|(?:,\d{3})+\.\d*|(?:,\d{3}){2,}|(?:\.\d{3})+,\d*|(?:\.\d{3}){2,})$/
/** `0,5`: a comma that cannot part thousands. */
const DECIMAL_COMMA = /^[+-]?(?:0?,\d+|\d+,(?:\d{1,2}|\d{4,}))$/

/**
 * What a person typed as a number: null where it is empty, NaN where it cannot be read or can be read in two ways, as
 * `1,125` can (1125 or 1.125).
 */
export function parseNumberText(text: string): number | null {
  const typed = text.trim().replace(/\s/g, ' ').replace('−', '-')
  if (typed === '') return null
  if (PLAIN.test(typed)) return finite(typed)
  if (DECIMAL_COMMA.test(typed)) return finite(typed.replace(',', '.'))
  if (!GROUPED.test(typed)) return Number.NaN
  const mark = typed.match(/[.,]/g)?.at(-1)
  const isDecimal = mark !== undefined && typed.indexOf(mark) === typed.lastIndexOf(mark)
  const [whole = '', decimals = ''] = isDecimal ? typed.split(mark) : [typed]
  return finite(`${whole.replace(/[ .,]/g, '')}.${decimals}`)
}

const finite = (text: string): number => {
  const value = Number(text)
  return Number.isFinite(value) ? value : Number.NaN
}

/** A number as it stands in a field: plain digits, no grouping, never an exponent that a person would not type. */
export function numberFieldText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return ''
  const text = String(value)
  return text.includes('e') ? value.toFixed(12).replace(/\.?0+$/, '') : text
}

export interface NumberFieldProps extends FieldTexts {
  /** null is an empty field, and a dash in one that is off; NaN a text that is no number. */
  value: number | null
  onChange: (value: number | null) => void
  min?: number
  max?: number
  step?: number
  /** At the right inside: USDT, bps, %, or a choice of them. */
  unit?: ReactNode
  disabled?: boolean
  /** Stands in an empty field: what that means. */
  placeholder?: string
}

const UNREADABLE = 'Write the number like 1000.5, without commas'
const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 }

/**
 * A number with its unit at the right inside. Keeps what is being typed ('0.') until it is left, then shows what was
 * read. Not a number field of the browser: these drop what they do not know, and '0,5' becomes 5.
 */
export function NumberField({
  label,
  labelNote,
  help,
  error,
  value,
  onChange,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
  step = 1,
  unit,
  disabled,
  placeholder,
}: NumberFieldProps) {
  const [text, setText] = useState(() => numberFieldText(value))
  const [isLeft, setIsLeft] = useState(true)
  const typed = parseNumberText(text)
  const shown = Object.is(typed, value) ? text : numberFieldText(value)
  const isUnreadable = shown === text && Number.isNaN(typed)
  const isNone = disabled === true && value === null
  const write = (next: string) => {
    setText(next)
    setIsLeft(false)
    onChange(parseNumberText(next))
  }
  const takeStep = (event: KeyboardEvent) => {
    const direction = STEPS[event.key]
    if (direction === undefined) return
    event.preventDefault()
    const next = (value || 0) + direction * step
    // Without the dust of binary fractions.
    write(numberFieldText(Math.min(max, Math.max(min, Number(next.toFixed(10))))))
  }
  return (
    <Field
      {...{ label, help }}
      error={isUnreadable && isLeft ? UNREADABLE : error}
      {...(labelNote !== undefined && { labelNote })}
    >
      {({ controlId, describedBy, invalid }) => (
        <Input
          id={controlId}
          disabled={disabled}
          isWrong={invalid}
          value={shown}
          placeholder={placeholder ?? (isNone ? UNKNOWN : undefined)}
          autoComplete="off"
          onChange={(event) => write(event.target.value)}
          onKeyDown={takeStep}
          onBlur={() => {
            setIsLeft(true)
            if (!isUnreadable) setText(numberFieldText(value))
          }}
          end={isNone ? undefined : unit}
          role="spinbutton"
          inputMode="decimal"
          aria-valuenow={value !== null && Number.isFinite(value) ? value : undefined}
          aria-valuemin={Number.isFinite(min) ? min : undefined}
          aria-valuemax={Number.isFinite(max) ? max : undefined}
          aria-describedby={describedBy}
        />
      )}
    </Field>
  )
}
