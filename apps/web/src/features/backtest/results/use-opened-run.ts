import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

const PAGE = '/backtest'
const urlOf = (runId: string) => `${PAGE}?run=${encodeURIComponent(runId)}`

/**
 * The run that is open on the page. The address holds it, so that it can be shared; the page stays mounted while
 * another is shown, and has its run again when one comes back.
 */
export function useOpenedRun(): { runId: string | null; open: (runId: string) => void } {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const isHere = pathname === PAGE
  const inUrl = isHere ? new URLSearchParams(search).get('run') : null
  const [remembered, setRemembered] = useState(inUrl)
  const wasHere = useRef(isHere)

  useEffect(() => {
    const cameBack = isHere && !wasHere.current
    wasHere.current = isHere
    if (!isHere || inUrl === remembered) return
    if (cameBack && inUrl === null && remembered !== null) void navigate(urlOf(remembered), { replace: true })
    else setRemembered(inUrl)
  }, [isHere, inUrl, remembered, navigate])

  const open = useCallback(
    (runId: string) => {
      if (isHere) void navigate(urlOf(runId))
      else setRemembered(runId)
    },
    [isHere, navigate],
  )
  return { runId: inUrl ?? remembered, open }
}
