import { Button } from '@mui/material'

/** Starts the backtest; says why where the role does not allow it. */
export function RunButton({ mayRun, isBusy, onRun }: { mayRun: boolean; isBusy: boolean; onRun: () => void }) {
  return (
    <Button variant="contained" fullWidth disabled={!mayRun || isBusy} onClick={onRun}>
      {mayRun ? 'Run Backtest' : 'Run disabled for your role'}
    </Button>
  )
}
