import { pauseBot, resetBot, startBot, stopBot } from '@shapecast/contracts/bot-trading'
import { bots, createBot, deleteBot, patchBot } from '@shapecast/contracts/bots'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpointMutation } from '../../shared/api/use-endpoint.ts'

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
  reset: useBotAction(resetBot),
  change: useBotAction(patchBot),
  remove: useBotAction(deleteBot),
})
export type BotActions = ReturnType<typeof useBotActions>

export const useCreateBot = () => useBotAction(createBot)
