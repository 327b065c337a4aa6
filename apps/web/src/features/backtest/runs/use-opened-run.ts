import { backtestRun } from '@shapecast/contracts/backtest'
import { MOST_COMPARED_RUNS } from '@shapecast/contracts/run-comparison'
import { useCallback, useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#routes/paths.ts'
import { READ_LATER, useEndpointQuery } from '#wire/calls/use-endpoint.ts'

/** The run that is open on the page. The address holds it, so that it can be shared. */
export function useOpenedRun(): {
  runId: string | null
  /** Runs that are ticked to be compared; null where none are being chosen. */
  compared: readonly string[] | null
  open: (runId: string) => void
  compare: (runIds: readonly string[] | null) => void
  close: () => void
} {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const open = useCallback((runId: string) => void navigate(paths.run(runId)), [navigate])
  const close = useCallback(() => void navigate(paths.backtest, { replace: true }), [navigate])
  const compare = useCallback(
    (runIds: readonly string[] | null) =>
      void navigate(runIds === null ? paths.backtest : paths.compareRuns(runIds), { replace: true }),
    [navigate],
  )
  const ticked = search.get('compare')
  const compared = useMemo(
    () =>
      ticked === null ? null : [...new Set(ticked.split(','))].filter((id) => id !== '').slice(0, MOST_COMPARED_RUNS),
    [ticked],
  )
  return { runId: search.get('run'), compared, open, compare, close }
}

/** One saved run. It never changes: once loaded it stays. */
export const useRun = (runId: string | null) =>
  useEndpointQuery(
    backtestRun,
    { params: { id: runId ?? '' } },
    { ...READ_LATER, staleTime: Number.POSITIVE_INFINITY, enabled: runId !== null },
  )
