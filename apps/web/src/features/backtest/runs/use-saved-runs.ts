import {
  type BacktestRunSummary,
  backtestRuns,
  deleteBacktestRun,
  exportBacktestRun,
} from '@shapecast/contracts/backtest'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { file } from '#wire/calls/client.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const AUTO_LIMIT = 10
const REFRESH_LIMIT = 20

/** The newest saved runs: 10 by themselves, 20 once somebody asks again. */
export function useSavedRuns() {
  const [limit, setLimit] = useState(AUTO_LIMIT)
  const runs = useEndpointQuery(backtestRuns, { query: { limit } }, { placeholderData: keepPreviousData })
  const refresh = () => {
    if (limit === REFRESH_LIMIT) void runs.refetch()
    else setLimit(REFRESH_LIMIT)
  }
  return { runs, refresh }
}

/** A run that is out of sight at once, and deleted when that can no longer be undone. */
export function useDeletedRun() {
  const [run, setRun] = useState<BacktestRunSummary | null>(null)
  const remove = useEndpointMutation(deleteBacktestRun)
  /** The run that was out of sight goes for good; the next one may be undone. */
  const replaceBy = (next: BacktestRunSummary | null) => {
    if (run !== null) remove.mutate({ params: { id: run._id } })
    setRun(next)
  }
  return {
    run,
    error: remove.error,
    /** Those out of sight: the one that can be undone, and one that is on its way. */
    isGone: (id: string) => id === run?._id || (remove.isPending && remove.variables.params.id === id),
    delete: replaceBy,
    undo: () => setRun(null),
    end: () => replaceBy(null),
  }
}

/** The trades of a run as a CSV file. */
export const fetchTrades = (id: string) => file(exportBacktestRun, { params: { id }, query: {} })

/** Where the file brings no name of its own. */
export const tradesName = (id: string) => `trades-${id}.csv`
