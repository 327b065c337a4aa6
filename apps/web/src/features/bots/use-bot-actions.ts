import {
  createBot,
  deleteBot,
  patchBot,
  pauseBot,
  resetBot,
  startBot,
  stopBot,
  takeModel,
} from '@shapecast/contracts/bot-changes'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

const useBotAction = <E extends AnyEndpoint>(endpoint: E) =>
  useEndpointMutation(endpoint, { onError: (error) => console.warn(`${endpoint.path} failed.`, error) })

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

/** Has a bot trade on the newer training of its models that it is offered. */
export const useTakeModel = () => useBotAction(takeModel)

export const useCreateBot = () => useBotAction(createBot)
