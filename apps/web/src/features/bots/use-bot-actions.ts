import { pauseBot, resetBot, startBot, stopBot, takeModel } from '@shapecast/contracts/bot-trading'
import { bots, createBot, deleteBot, patchBot } from '@shapecast/contracts/bots'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { readBotsAgain } from '#entities/bots/read-bots-again.ts'
import { endpointKey, readAgainAfter, useEndpointMutation } from '#wire/calls/use-endpoint.ts'

const readListAgain = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: endpointKey(bots) })

/** A call that changes bots: what is shown of them is read again afterwards, whatever the outcome. */
export function useBotAction<E extends AnyEndpoint>(
  endpoint: E,
  readAgain: (client: QueryClient) => Promise<unknown> = readBotsAgain,
) {
  const queryClient = useQueryClient()
  return useEndpointMutation(endpoint, {
    onError: (error) => console.warn(`${endpoint.path} failed.`, error),
    onSettled: readAgainAfter(() => readAgain(queryClient)),
  })
}

/** What an owner or admin may do with a bot, each with its progress. */
export const useBotActions = () => ({
  start: useBotAction(startBot),
  pause: useBotAction(pauseBot),
  stop: useBotAction(stopBot),
  reset: useBotAction(resetBot),
  change: useBotAction(patchBot),
  // Of one that is gone there are no figures.
  remove: useBotAction(deleteBot, readListAgain),
})
export type BotActions = ReturnType<typeof useBotActions>

/** Has a bot trade on the newer training of its models that it is offered. */
export const useTakeModel = () => useBotAction(takeModel)

export const useCreateBot = () => useBotAction(createBot)
