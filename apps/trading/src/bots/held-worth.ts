import type { BotRecord } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { timeframeOf } from './timeframe-of.ts'

export type LoadCandles = (
  symbol: string,
  timeframe: Timeframe,
  range: { fromMs: number; toMs: number },
) => Promise<Candles>

/**
 * What `money` (quote) in equal shares in each pair of a bot, bought at the first of `times` (ms, rising), is worth at each
 * of them by the closes before; null where a price is unknown.
 */
export async function heldWorth(
  candles: LoadCandles,
  bot: Pick<BotRecord, 'parameters' | 'tradingPairs'>,
  money: number,
  times: readonly number[],
): Promise<Float64Array | null> {
  const timeframe = timeframeOf(bot.parameters)
  const step = TIMEFRAME_MS[timeframe]
  const [first, last] = [times[0], times.at(-1)]
  const worth = new Float64Array(times.length)
  if (first === undefined || last === undefined) return worth
  for (const symbol of bot.tradingPairs) {
    // The last close before the first moment belongs to a candle that began less than two candles before it.
    const series = await candles(symbol, timeframe, { fromMs: first - 2 * step + 1, toMs: last - step })
    const start = series.close[0]
    if (start === undefined || series.ts[0]! > first - step) return null
    let at = 0
    for (const [i, time] of times.entries()) {
      while (at + 1 < series.length && series.ts[at + 1]! <= time - step) at++
      worth[i]! += ((money / bot.tradingPairs.length) * series.close[at]!) / start
    }
  }
  return worth
}

/**
 * Percent that equal shares in each pair of a bot made from the close before `fromMs` to the one before `toMs`; null where
 * a price is unknown.
 */
export async function heldPct(
  candles: LoadCandles,
  bot: Pick<BotRecord, 'parameters' | 'tradingPairs'>,
  fromMs: number,
  toMs: number,
): Promise<number | null> {
  const timeframe = timeframeOf(bot.parameters)
  const step = TIMEFRAME_MS[timeframe]
  const closeBefore = async (symbol: string, atMs: number) =>
    (await candles(symbol, timeframe, { fromMs: atMs - 2 * step + 1, toMs: atMs - step })).close.at(-1)
  const changes = await Promise.all(
    bot.tradingPairs.map(async (symbol) => {
      const [before, now] = await Promise.all([closeBefore(symbol, fromMs), closeBefore(symbol, toMs)])
      return before === undefined || now === undefined ? null : now / before - 1
    }),
  )
  const sum = changes.reduce((total, change) => (total === null || change === null ? null : total + change), 0)
  return sum === null ? null : (100 * sum) / changes.length
}
