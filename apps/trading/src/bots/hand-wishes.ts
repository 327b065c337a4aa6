import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { HandTarget, Portfolio } from '@shapecast/engine/portfolio'
import { NOT_REBALANCED } from './decision-words.ts'
import type { RunningBot } from './running-bots.ts'
import type { HandChange } from './runtime-store.ts'
import type { BotRow, HandOrder } from './tables.ts'
import { timeframeOf } from './timeframe-of.ts'

type Asked = Pick<HandChange, 'symbol' | 'candleTs' | 'askedMs'>

/** A pair that a person wanted at its target, and that is left as it is. */
export const leftAlone = ({ symbol, candleTs, askedMs }: Asked, reason: string): HandChange => ({
  symbol,
  candleTs,
  askedMs,
  quantity: 0,
  price: 0,
  filledPrice: null,
  reason,
  fill: null,
})

/** What a person asked a bot for and is not done, as it is written down where it is taken back. */
export function takenBack(
  { id: botId, parameters }: Pick<BotRow, 'id' | 'parameters'>,
  { pairs }: Portfolio,
  reason = NOT_REBALANCED,
): (HandOrder & { botId: string })[] {
  const step = TIMEFRAME_MS[timeframeOf(parameters)]
  return pairs.flatMap(({ symbol, byHand }) => {
    if (byHand === undefined) return []
    const { askedMs } = byHand
    const { fill: _, ...left } = leftAlone({ symbol, askedMs, candleTs: Math.floor(askedMs / step) * step }, reason)
    return { ...left, botId, orderId: null }
  })
}

/** A portfolio of which no person wants a pair at its target. */
export const withoutWishes = (portfolio: Portfolio): Portfolio => ({
  ...portfolio,
  pairs: portfolio.pairs.map((pair) => ({ ...pair, byHand: undefined })),
})

/** So long after it was asked for, ms, what the exchange could not take is tried again. */
const RETRY_FOR_MS = 600_000
export const mayRetry = ({ askedMs }: Pick<HandTarget, 'askedMs'>, nowMs: number): boolean =>
  nowMs - askedMs <= RETRY_FOR_MS

/** Takes back what a person asked for of a bot that may not trade by now. */
export function dropWishes(
  { bot, state: { portfolio, closing } }: RunningBot,
  candleTs: number,
): { portfolio: Portfolio; dropped: HandChange[] } {
  const wished = portfolio.pairs.flatMap(({ symbol, byHand }) => (byHand ? { symbol, candleTs, ...byHand } : []))
  if (wished.length === 0 || (bot.status === 'active' && portfolio.haltedAt < 0 && !closing))
    return { portfolio, dropped: [] }
  return {
    portfolio: withoutWishes(portfolio),
    dropped: wished.map((of) => leftAlone(of, NOT_REBALANCED)),
  }
}
