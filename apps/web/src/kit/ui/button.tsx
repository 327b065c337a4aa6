import { type ComponentPropsWithRef, type ElementType, type MouseEvent, type ReactNode, useState } from 'react'
import { Link, type LinkProps } from 'react-router'
import { formatCount } from '../format/number.ts'
import css from './button.module.css'
import { useControlsOff } from './controls-off.ts'
import layout from './layout.module.css'

/** At the foot of a list cut to its first rows: shows the rest. */
export const ShowAll = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <div style={{ padding: 8, borderTop: '1px solid var(--hairline)' }}>
    <Button variant="text" size="small" onClick={onClick}>
      {children}
    </Button>
  </div>
)

/** The first rows of a list, and the foot that shows the rest: `Show all 12 bots`. */
export function useFirstRows<Row>(rows: readonly Row[], most: number, what = '') {
  const [areAllShown, setAreAllShown] = useState(false)
  const isCut = rows.length > most && !areAllShown
  return {
    shown: isCut ? rows.slice(0, most) : rows,
    foot: isCut && (
      <ShowAll onClick={() => setAreAllShown(true)}>{`Show all ${formatCount(rows.length)}${what}`}</ShowAll>
    ),
  }
}

/** Asks once more for what could not be loaded; the focus stays on it while that is on its way. */
export const RetryButton = ({ reply }: { reply: { isFetching: boolean; refetch: () => Promise<unknown> } }) => (
  <Button size="small" {...busyButton(reply.isFetching, () => void reply.refetch())}>
    {reply.isFetching ? 'Loading…' : 'Try again'}
  </Button>
)

const joined = (...classes: (string | false | undefined)[]) => classes.filter(Boolean).join(' ')

type Props<Tag extends ElementType, Look> = Look & { as?: Tag | undefined } & Omit<
    ComponentPropsWithRef<Tag>,
    keyof Look | 'as'
  >

/** What is pressed and looks like its content. A button unless `as` says otherwise, and none that sends a form. */
export function PlainButton<Tag extends ElementType = 'button'>({ as, className, ...rest }: Props<Tag, unknown>) {
  const Element: ElementType = as ?? 'button'
  const type = as === undefined && { type: 'button' }
  return <Element {...type} {...rest} className={joined(layout.touchAlone, css.control, className)} />
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

type LinkButtonProps = Pick<ButtonLook, 'variant' | 'size' | 'fullWidth' | 'startIcon' | 'children'> &
  Pick<LinkProps, 'state'> & { to: string }

/** A link to another page that looks like a button. Where the controls of a page are off, it is off like them. */
export function LinkButton({ to, state, ...rest }: LinkButtonProps) {
  if (useControlsOff()) return <Button {...rest} disabled />
  return <Button {...rest} as={Link} to={to} state={state} />
}

/**
 * Props of a button that takes no press while what it does is under way. It looks disabled but is not: that would throw
 * anyone who uses the keyboard back to the top of the page. A button that sends its form needs no `onPress`.
 */
export const busyButton = (isBusy: boolean, onPress?: () => void, className = '') => ({
  // Not said to be usable while it is not busy: it may be off for another reason.
  'aria-disabled': isBusy || undefined,
  className,
  onClick: (event: Pick<MouseEvent, 'preventDefault'>) => {
    if (isBusy) event.preventDefault()
    else onPress?.()
  },
})
