import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { formatClock } from '#kit/format/time.ts'
import { useTimeZone } from '#kit/format/time-zone.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { RetryButton } from '#kit/ui/button.tsx'
import { useLastError } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'

/**
 * While the trading service does not answer: says once how old the figures on the page are. When it is back, everything
 * is read again. The dashboard says so in its own words.
 */
export function ConnectionBanner() {
  // Its clocks.
  useTimeZone()
  const queryClient = useQueryClient()
  const health = useHealth()
  const isAway = useLastError(health) !== null
  const wasAway = useRef(false)
  useEffect(() => {
    if (wasAway.current && !isAway) void queryClient.invalidateQueries()
    wasAway.current = isAway
  }, [queryClient, isAway])
  if (!isAway) return null
  // Looked at only now: who asks for it is drawn again at every reply.
  const { dataUpdatedAt } = health
  return (
    <Banner kind="error" title="The server does not answer" action={<RetryButton reply={health} />}>
      {dataUpdatedAt === 0
        ? 'Nothing could be read yet. It is asked again by itself.'
        : `Figures as of ${formatClock(dataUpdatedAt)}. It is asked again by itself.`}
    </Banner>
  )
}
