import { Button } from '@mui/material'
import type { BacktestRun } from '@shapecast/contracts/backtest'
import { useIsManager } from '#wire/session/auth-context.ts'
import type { BacktestJobControl } from './job/use-backtest-job.ts'
import { nextRun } from './parameters/next-run.ts'
import { useSizeWorth } from './parameters/size-note.tsx'
import type { ParametersControl } from './parameters/use-parameters.ts'

/** Runs in one press what tells more than the opened run does, and leaves it in the fields. */
export function NextRunButton({
  run,
  control,
  job,
}: {
  run: BacktestRun
  control: ParametersControl
  job: BacktestJobControl
}) {
  const { parameters, unseen } = control
  const size = useSizeWorth(parameters)
  const mayRun = useIsManager()
  const next = nextRun(run, unseen !== null, parameters.mode === 'model' ? size.found : null)
  if (next === null || !mayRun) return null
  return (
    <Button
      size="small"
      disabled={job.isStarting || job.isRunning}
      onClick={() => {
        control.change(next.change)
        void control.form.submit((request) => job.start({ request, symbol: control.symbol! }))()
      }}
    >
      {next.words}
    </Button>
  )
}
