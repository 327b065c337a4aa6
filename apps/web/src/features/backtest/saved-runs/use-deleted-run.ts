import { type BacktestRunSummary, deleteBacktestRun } from '@shapecast/contracts/backtest'
import { useState } from 'react'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

/** A run that is out of sight at once, and deleted when that can no longer be undone. */
export function useDeletedRun() {
  const [run, setRun] = useState<BacktestRunSummary | null>(null)
  const remove = useEndpointMutation(deleteBacktestRun)
  const forGood = () => {
    if (run !== null) remove.mutate({ params: { id: run._id } })
  }
  return {
    run,
    error: remove.error,
    /** Those out of sight: the one that can be undone, and one that is on its way. */
    isGone: (id: string) => id === run?._id || (remove.isPending && remove.variables.params.id === id),
    delete: (next: BacktestRunSummary) => {
      forGood()
      setRun(next)
    },
    undo: () => setRun(null),
    end: () => {
      forGood()
      setRun(null)
    },
  }
}
