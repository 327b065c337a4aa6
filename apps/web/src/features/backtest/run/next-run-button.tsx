import type { BacktestRun } from '@shapecast/contracts/backtest'
import { Button } from '#kit/ui/button.tsx'
import { useIsManager } from '#wire/session/auth-context.ts'
import type { Settled } from './backtest-request.ts'
import { nextRun, type Parameters } from './parameters.ts'
import { useSizeWorth } from './size-note.tsx'

/** Runs in one press what tells more than the opened run does, and leaves it in the fields. */
export function NextRunButton({
  run,
  test: { parameters, unseen },
  isBusy,
  onRun,
}: {
  run: BacktestRun
  test: Settled
  isBusy: boolean
  onRun: (change: Partial<Parameters>) => void
}) {
  const size = useSizeWorth(parameters)
  const mayRun = useIsManager()
  const next = nextRun(run, unseen !== null, parameters.mode === 'model' ? size.found : null)
  if (next === null || !mayRun) return null
  return (
    <Button size="small" disabled={isBusy} onClick={() => onRun(next.change)}>
      {next.words}
    </Button>
  )
}
