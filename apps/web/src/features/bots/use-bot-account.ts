import { botBalance, botEquity } from '@shapecast/contracts/bot-trading'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

/** What a bot trades with changes at each of its candles; an open page asks again as often. */
export const REFRESH_MS = 30_000
const POINTS = 1000

/** Balance, profit and open positions. */
export const useBotBalance = (id: string) =>
  useEndpointQuery(botBalance, { params: { id } }, { refetchInterval: REFRESH_MS })

/** The equity at each close, beside the same money held. */
export const useBotEquity = (id: string) =>
  useEndpointQuery(botEquity, { params: { id }, query: { limit: POINTS } }, { refetchInterval: REFRESH_MS })
