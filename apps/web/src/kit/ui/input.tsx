import type {
  ChangeEventHandler,
  ComponentPropsWithRef,
  CSSProperties,
  ElementType,
  FocusEventHandler,
  KeyboardEventHandler,
  ReactNode,
} from 'react'
import css from './input.module.css'

type Typed = HTMLInputElement | HTMLTextAreaElement

export interface InputProps extends Omit<ComponentPropsWithRef<'input'>, 'onChange' | 'onBlur' | 'onKeyDown'> {
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
