import { bots } from '@shapecast/contracts/bots'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { liveEvents } from '../api/browser-live-events.ts'
import { holdOnce } from '../api/hold-once.ts'
import { useRefreshMs } from '../api/refresh.ts'
import { endpointKey, useEndpointQuery } from '../api/use-endpoint.ts'
import { readBotsAgain } from './read-bots-again.ts'

/**
 * All bots that the reader may see, kept fresh by the stream and asked for every 30 seconds; not before they are
 * `wanted`.
 */
export function useBots(wanted = true) {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      holdOnce('bots', () =>
        liveEvents.listen({ kind: 'bots' }, (event) => {
          // Of one that is gone there are no figures.
          if (event.event === 'bot' && event.data.change !== 'removed') void readBotsAgain(queryClient, event.data.id)
          else void queryClient.invalidateQueries({ queryKey: endpointKey(bots) })
        }),
      ),
    [queryClient],
  )
  return useEndpointQuery(bots, {}, { enabled: wanted, refetchInterval: useRefreshMs() })
}
