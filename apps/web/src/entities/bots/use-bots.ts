import { bots } from '@shapecast/contracts/bots'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { shareSubscription } from '#wire/calls/shared-subscription.ts'
import { endpointKey, REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { liveEvents } from '#wire/live/browser-live-events.ts'

/** At the close of a candle many bots change within moments: what is shown of them is read once. */
const GATHERED_MS = 250

/** Reads again what is shown of bots as the stream tells of them. Returns what ends it. */
function followBots(queryClient: QueryClient): () => void {
  const changed = new Set<string>()
  let planned: ReturnType<typeof setTimeout> | undefined
  const read = () => {
    planned = undefined
    void readBotsAgain(queryClient, new Set(changed))
    changed.clear()
  }
  const end = liveEvents.listen({ kind: 'bots' }, (event) => {
    // Of one that is gone there are no figures.
    if (event.event !== 'bot' || event.data.change === 'removed') {
      void queryClient.invalidateQueries({ queryKey: endpointKey(bots) })
      return
    }
    changed.add(event.data.id)
    planned ??= setTimeout(read, GATHERED_MS)
  })
  return () => {
    clearTimeout(planned)
    end()
  }
}

/** All bots that the reader may see, kept fresh by the stream and asked for every 30 seconds. */
export function useBots() {
  const queryClient = useQueryClient()
  useEffect(() => shareSubscription('bots', () => followBots(queryClient)), [queryClient])
  return useEndpointQuery(bots, {}, { refetchInterval: REFRESH_MS })
}

/**
 * Reads again what is shown of bots: the list, how many trade real money, and their figures; of some bots alone where
 * `ids` name them.
 */
const readBotsAgain = (queryClient: QueryClient, ids?: ReadonlySet<string>): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [service, , path, input] }) => {
      const about = (input as { params?: { id?: string } } | undefined)?.params?.id
      const isWanted = ids === undefined || about === undefined || ids.has(about)
      return service === bots.service && String(path).startsWith(bots.path) && isWanted
    },
  })
