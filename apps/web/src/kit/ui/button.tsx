import type { ComponentPropsWithRef, ElementType, ReactNode } from 'react'
import css from './button.module.css'

const joined = (...classes: (string | false | undefined)[]) => classes.filter(Boolean).join(' ')

type Props<Tag extends ElementType, Look> = Look & { as?: Tag | undefined } & Omit<
    ComponentPropsWithRef<Tag>,
    keyof Look | 'as'
  >

/** What is pressed and looks like its content. A button unless `as` says otherwise, and none that sends a form. */
export function PlainButton<Tag extends ElementType = 'button'>({ as, className, ...rest }: Props<Tag, unknown>) {
  const Element: ElementType = as ?? 'button'
  const type = as === undefined && { type: 'button' }
  return <Element {...type} {...rest} className={joined(css.control, className)} />
}

export interface ButtonLook {
  /** `contained` is the one primary action, `danger` what deletes, `text` what is quiet. */
  variant?: 'contained' | 'secondary' | 'danger' | 'text' | undefined
  size?: 'small' | 'medium' | 'large' | undefined
  fullWidth?: boolean
  startIcon?: ReactNode
  endIcon?: ReactNode
  children?: ReactNode
}

export function Button<Tag extends ElementType = 'button'>({
  variant = 'secondary',
  size = 'medium',
  fullWidth = false,
  startIcon,
  endIcon,
  className,
  children,
  ...rest
}: Props<Tag, ButtonLook>) {
  const classes = joined(css.button, css[variant], css[size], fullWidth && css.fullWidth, className)
  return (
    <PlainButton<ElementType> {...rest} className={classes}>
      {startIcon !== undefined && <span className={css.startIcon}>{startIcon}</span>}
      {children}
      {endIcon !== undefined && <span className={css.endIcon}>{endIcon}</span>}
    </PlainButton>
  )
}

/** A button that is an icon; `aria-label` is its name. */
export function IconButton<Tag extends ElementType = 'button'>({
  size = 'medium',
  edge,
  className,
  ...rest
}: Props<
  Tag,
  {
    size?: 'small' | 'medium'
    /** Its icon, and not its box, ends where its line does. */
    edge?: 'end'
  }
>) {
  const classes = joined(css.icon, size === 'small' && css.mini, edge === 'end' && css.edgeEnd, className)
  return <PlainButton<ElementType> {...rest} className={classes} />
}
