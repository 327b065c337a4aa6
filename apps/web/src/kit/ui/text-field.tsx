import { Eye, EyeOff } from 'lucide-react'
import {
  type ChangeEventHandler,
  type ComponentPropsWithRef,
  type CSSProperties,
  type ElementType,
  type FocusEventHandler,
  type KeyboardEventHandler,
  type ReactNode,
  type Ref,
  useState,
} from 'react'
import { IconButton } from './button.tsx'
import { Field, type FieldTexts } from './field.tsx'
import css from './input.module.css'

interface TextFieldProps extends FieldTexts {
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

/** What is typed into a field: `{...password.field}` beside its label. */
export function useTyped(start = '') {
  const [text, set] = useState(start)
  return {
    text,
    set,
    field: { value: text, onChange: ({ target }: { target: { value: string } }) => set(target.value) },
  }
}

/** A password that can be shown and hidden again. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'end' | 'rows'>) {
  const [isShown, setIsShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      end={
        <IconButton
          size="small"
          edge="end"
          aria-label={isShown ? 'Hide password' : 'Show password'}
          aria-pressed={isShown}
          onClick={() => setIsShown((shown) => !shown)}
        >
          {isShown ? <EyeOff /> : <Eye />}
        </IconButton>
      }
    />
  )
}

type Typed = HTMLInputElement | HTMLTextAreaElement

interface InputProps extends Omit<ComponentPropsWithRef<'input'>, 'onChange' | 'onBlur' | 'onKeyDown'> {
  onChange?: ChangeEventHandler<Typed> | undefined
  onBlur?: FocusEventHandler<Typed> | undefined
  onKeyDown?: KeyboardEventHandler<Typed>
  isWrong?: boolean
  /** Rows of a longer text, which grows with it. */
  rows?: number | undefined
  /** At the left inside: an icon. */
  start?: ReactNode
  /** At the right inside: a unit or a button. */
  end?: ReactNode
  className?: string | undefined
}

/** What is typed into. Stands in a `Field`, or has an `aria-label`. */
export function Input({ isWrong = false, rows, start, end, type, className, ...rest }: InputProps) {
  const Element = (rows === undefined ? 'input' : 'textarea') as ElementType
  const own = rows === undefined ? { type } : { style: { '--rows': rows } as CSSProperties }
  return (
    <div className={className === undefined ? css.input : `${css.input} ${className}`} data-input data-wrong={isWrong}>
      {start !== undefined && <span className={css.start}>{start}</span>}
      <Element aria-invalid={isWrong} {...rest} {...own} />
      {end !== undefined && <span className={css.end}>{end}</span>}
    </div>
  )
}
