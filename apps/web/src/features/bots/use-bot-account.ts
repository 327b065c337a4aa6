import { botResults } from '@shapecast/contracts/bot-results'
import { type BotBalance, botBalance, botEquity } from '@shapecast/contracts/bot-trading'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

/** What a bot trades with changes at each of its candles; an open page asks again as often. */
export const REFRESH_MS = 30_000
const POINTS = 1000

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
