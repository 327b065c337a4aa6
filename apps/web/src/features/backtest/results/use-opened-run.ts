import { MOST_COMPARED_RUNS } from '@shapecast/contracts/run-comparison'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { usePageVisible } from '#kit/ui/page-visibility.ts'
import { paths } from '#routes/paths.ts'

const urlOf = (runId: string) => paths.run(runId)

/**
 * The run that is open on the page. The address holds it, so that it can be shared. A run that is opened while another
 * page is shown waits until this one is seen again: nobody is taken away from where they are.
 */
export function useOpenedRun(): {
  runId: string | null
  /** Runs that are ticked to be compared; null where none are being chosen. */
  compared: readonly string[] | null
  open: (runId: string) => void
  compare: (runIds: readonly string[] | null) => void
  close: () => void
} {
  const isVisible = usePageVisible()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const [waiting, setWaiting] = useState<string | null>(null)

  useEffect(() => {
    if (!isVisible || waiting === null) return
    setWaiting(null)
    void navigate(urlOf(waiting), { replace: true })
  }, [isVisible, waiting, navigate])

  const open = useCallback(
    (runId: string) => {
      if (isVisible) void navigate(urlOf(runId))
      else setWaiting(runId)
    },
    [isVisible, navigate],
  )
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
