import type { User } from '@shapecast/contracts/auth'
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
import { botResults } from '@shapecast/contracts/bot-results'
import { type BotBalance, botBalance, botEquity } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'

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

/** What a bot trades with changes at each of its candles; an open page asks again as often. */
export const REFRESH_MS = 30_000
const POINTS = 1000
/** Decisions shown before more are asked for. */
export const DECISIONS_SHOWN = 12

/** Whether the reader may start, stop and change a bot. */
export const mayChange = (user: User | null, bot: Pick<Bot, 'userId'>): boolean =>
  user !== null && (user.role === 'admin' || bot.userId === user.id)
export const useIsMine = (bot: Bot): boolean => mayChange(useUser(), bot)

/** Balance, profit and open positions, or what `select` takes of them. */
export const useBotBalance = <Selected = BotBalance>(id: string, select?: (balance: BotBalance) => Selected) =>
  useEndpointQuery<typeof botBalance, Selected>(
    botBalance,
    { params: { id } },
    { refetchInterval: REFRESH_MS, ...(select !== undefined && { select }) },
  )

/** The equity at each close, beside the same money held. */
export const useBotEquity = (id: string) =>
  useEndpointQuery(botEquity, { params: { id }, query: { limit: POINTS } }, { refetchInterval: REFRESH_MS })

/** What it has made so far; worked out over all that it did, so that it is asked for less often. */
export const useBotResults = (id: string) =>
  useEndpointQuery(botResults, { params: { id } }, { refetchInterval: 10 * REFRESH_MS })
