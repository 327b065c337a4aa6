import { Link, type LinkProps } from 'react-router'
import { Button, type ButtonLook } from './button.tsx'
import { useControlsOff } from './controls-off.ts'

type LinkButtonProps = Pick<ButtonLook, 'variant' | 'size' | 'fullWidth' | 'startIcon' | 'children'> &
  Pick<LinkProps, 'state'> & { to: string }

/** A link to another page that looks like a button. Where the controls of a page are off, it is off like them. */
export function LinkButton({ to, state, ...rest }: LinkButtonProps) {
  if (useControlsOff()) return <Button {...rest} disabled />
  return <Button {...rest} as={Link} to={to} state={state} />
}
