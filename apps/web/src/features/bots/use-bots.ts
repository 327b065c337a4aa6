import { pauseBot, startBot, stopBot } from '@shapecast/contracts/bot-trading'
import { bots, createBot, deleteBot, patchBot } from '@shapecast/contracts/bots'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { liveEvents } from '../../shared/api/browser-live-events.ts'
import { endpointKey, useEndpointMutation, useEndpointQuery } from '../../shared/api/use-endpoint.ts'

const REFRESH_MS = 30_000

/** All bots that the reader may see, kept fresh by the stream and asked for every 30 seconds. */
export function useBots() {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      liveEvents.listen({ kind: 'bots' }, () => {
        void queryClient.invalidateQueries({ queryKey: endpointKey(bots) })
      }),
    [queryClient],
  )
  return useEndpointQuery(bots, {}, { refetchInterval: REFRESH_MS })
}

/** A call that changes bots: the list is loaded again afterwards, whatever the outcome. */
export function useBotAction<E extends AnyEndpoint>(endpoint: E) {
  const queryClient = useQueryClient()
  return useEndpointMutation(endpoint, {
    onError: (error) => console.warn(`${endpoint.path} failed.`, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: endpointKey(bots) }),
  })
}

/** What an owner or admin may do with a bot, each with its progress. */
export const useBotActions = () => ({
  start: useBotAction(startBot),
  pause: useBotAction(pauseBot),
  stop: useBotAction(stopBot),
  change: useBotAction(patchBot),
  remove: useBotAction(deleteBot),
})
export type BotActions = ReturnType<typeof useBotActions>

export const useCreateBot = () => useBotAction(createBot)
