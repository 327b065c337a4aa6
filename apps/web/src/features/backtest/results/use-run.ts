import { backtestRun } from '@shapecast/contracts/backtest'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

/** One saved run. It never changes: once loaded it stays. */
export const useRun = (runId: string | null) =>
  useEndpointQuery(
    backtestRun,
    { params: { id: runId ?? '' } },
    { staleTime: Number.POSITIVE_INFINITY, enabled: runId !== null },
  )
