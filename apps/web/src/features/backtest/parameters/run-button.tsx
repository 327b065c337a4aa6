import { Button } from '@mui/material'
import { busyButton } from '#kit/ui/busy-button.ts'
import { useUser } from '#wire/session/auth-context.ts'

/** Starts the backtest; says why where nobody is signed in, the role does not allow it or nothing can be tested. */
export function RunButton({
  mayRun,
  isBusy,
  isAgain,
  lacks,
  onRun,
}: {
  mayRun: boolean
  isBusy: boolean
  /** Whether the fields hold what the opened run was run with. */
  isAgain: boolean
  /** What there is none of to test; null where it can be chosen. */
  lacks: 'bot' | 'model' | null
  onRun: () => void
}) {
  const isSignedIn = useUser() !== null

  const words = () => {
    if (!mayRun) return isSignedIn ? 'Run disabled for your role' : 'Sign in to run'
    if (lacks !== null) return `No ${lacks} to test`
    return isAgain ? 'Run again' : 'Run Backtest'
  }

  return (
    <Button variant="contained" fullWidth disabled={!mayRun || lacks !== null} {...busyButton(isBusy, onRun)}>
      {words()}
    </Button>
  )
}
