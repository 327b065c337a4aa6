import { useCallback, useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { usePageVisible } from '../../../shared/ui/page-visibility.ts'

const urlOf = (runId: string) => `/backtest?run=${encodeURIComponent(runId)}`

/**
 * The run that is open on the page. The address holds it, so that it can be shared. A run that is opened while another
 * page is shown waits until this one is seen again: nobody is taken away from where they are.
 */
export function useOpenedRun(): { runId: string | null; open: (runId: string) => void; close: () => void } {
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
  const close = useCallback(() => void navigate('/backtest', { replace: true }), [navigate])
  return { runId: search.get('run'), open, close }
}
