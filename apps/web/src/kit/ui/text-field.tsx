import type { ChangeEventHandler, FocusEventHandler, ReactNode, Ref } from 'react'
import { Field, type FieldTexts } from './field.tsx'
import { Input } from './input.tsx'

export interface TextFieldProps extends FieldTexts {
  name?: string
  value?: string
  onChange?: ChangeEventHandler<HTMLInputElement | HTMLTextAreaElement>
  onBlur?: FocusEventHandler<HTMLInputElement | HTMLTextAreaElement>
  /** The input itself, as react-hook-form's `register` wants it. */
  ref?: Ref<HTMLInputElement>
  type?: 'text' | 'email' | 'password' | 'time'
  autoComplete?: string
  autoFocus?: boolean
  placeholder?: string
  disabled?: boolean
  /** Values that the browser offers while something is typed. */
  suggestions?: readonly string[]
  /** Rows of a longer text. */
  rows?: number
  /** At the right inside: a unit or a button. */
  end?: ReactNode
}

/** A line of text with its label above. Takes `{...register('name')}`. */
export function TextField({ label, labelNote, help, error, type = 'text', suggestions, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, labelNote, help, error }}>
      {({ controlId, describedBy, invalid }) => (
        <>
          <Input
            {...input}
            id={controlId}
            type={type}
            isWrong={invalid}
            aria-describedby={describedBy}
            list={suggestions === undefined ? undefined : `${controlId}-suggestions`}
            {...(type === 'email' && { autoCapitalize: 'none', spellCheck: false })}
          />
          {suggestions !== undefined && (
            <datalist id={`${controlId}-suggestions`}>
              {suggestions.map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  )
}
