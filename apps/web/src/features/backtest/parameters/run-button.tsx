import { Button } from '@mui/material'
import { useUser } from '../../../shared/auth/auth-context.ts'

/** Starts the backtest; says why where nobody is signed in or the role does not allow it. */
export function RunButton({
  mayRun,
  isBusy,
  isAgain,
  onRun,
}: {
  mayRun: boolean
  isBusy: boolean
  /** Whether the fields hold what the opened run was run with. */
  isAgain: boolean
  onRun: () => void
}) {
  const isSignedIn = useUser() !== null

  return (
    <Button variant="contained" fullWidth disabled={!mayRun || isBusy} onClick={onRun}>
      {mayRun ? (isAgain ? 'Run again' : 'Run Backtest') : isSignedIn ? 'Run disabled for your role' : 'Sign in to run'}
    </Button>
  )
}
