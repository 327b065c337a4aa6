import { Button, type ButtonProps } from '@mui/material'
import { Link } from 'react-router'

type LinkButtonProps = Pick<ButtonProps, 'variant' | 'size' | 'fullWidth' | 'startIcon' | 'children'> & { to: string }

/** A link to another page that looks like a button. It stays a link: it works signed out and opens in a new tab. */
export const LinkButton = ({ to, ...rest }: LinkButtonProps) => <Button {...rest} component={Link} to={to} />
