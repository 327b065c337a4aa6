import { type Candles, copyCandles, joinCandles, sliceCandles } from '@shapecast/engine/candles'
import { ENGINE_VERSION } from '@shapecast/engine/engine-version'
import type { SearchGround } from '@shapecast/engine/search/search-runs'
import { candlesHash } from '@shapecast/ml/recipe/data-hash'
import { type BacktestBotDeps, preparePair } from '../backtests/prepare-pair.ts'
import { splitSeen } from '../backtests/seen-ranges.ts'
import { deciderOf } from '../deciders/deciders.ts'
import { ruleForecast } from '../deciders/rule.ts'
import { hashData } from '../ground/hash-data.ts'
import { firstPlan, historyOf, type SearchOrder } from './search-order.ts'

/**
 * The ground of a search, with what is not for its points: the kept candles. With `unasked` no model says anything, and at
 * least so many candles come before it.
 */
export async function groundOf(deps: BacktestBotDeps, order: SearchOrder, signal: AbortSignal, unasked?: number) {
  const { request, bot, space, fromMs, toMs } = order
  const { symbol, timeframe, feeRate, slippageBps } = request
  const plan = firstPlan(order)
  const prepared = await preparePair(
    deps,
    {
      mode: 'rule',
      bot: { id: null, name: 'Search', strategy: 'ml', riskLevel: bot.riskLevel, positionSize: bot.positionSize },
      plan,
      symbol,
      timeframe,
      fromMs,
      toMs,
      limit: 1,
      feeRate,
      slippageBps,
      noSameBarReentry: true,
    },
    { signal, ...(unasked !== undefined && { versions: [] }) },
  )
  const { candles, forecasts, settings, funding } = prepared
  const decider = deciderOf({ strategy: 'ml' }, plan)
  const history = Math.max(unasked ?? 0, historyOf(order), decider.history({ strategy: 'ml' }, plan, timeframe))
  const before = history === 0 ? sliceCandles(candles.run, 0, 0) : await candles.before(history)
  const all = joinCandles(before, candles.run)
  const [said] = forecasts
  const { noSameBarReentry, lotSize, minNotional } = settings
  const whole: SearchGround = {
    candles: all,
    from: before.length,
    timeframe,
    forecast: said === undefined ? null : ruleForecast(said.forecasts, all.length, before.length),
    bot,
    funding,
    costs: { feeRate, slippageBps, noSameBarReentry, lotSize, minNotional },
    space,
  }
  return { whole, run: candles.run, said }
}

/** The ground without its last candles. */
export function cut(ground: SearchGround, candles: number): SearchGround {
  const { forecast } = ground
  const column = (of: Float64Array) => of.slice(0, ground.from + candles)
  return {
    ...ground,
    candles: sliceCandles(ground.candles, 0, ground.from + candles),
    forecast: forecast && {
      pUp: column(forecast.pUp),
      sigma: column(forecast.sigma),
      edgeBps: column(forecast.edgeBps),
      medians: forecast.medians.map(column),
    },
  }
}

/** The share of the searched candles that a model has seen, 0–1. */
export const seenOf = (
  searched: Candles,
  { version, seen }: { version: string; seen: Parameters<typeof splitSeen>[1][number] },
) => splitSeen(searched, [{ ...seen, version }], () => ({ metrics: null as never })).seenRatio

/** What a thread may keep: its columns are handed over. */
export const ownCopy = ({ candles, forecast, funding, ...ground }: SearchGround): SearchGround => ({
  ...ground,
  candles: copyCandles(candles, 0),
  ...structuredClone({ forecast, funding }),
})

/** Hash of all that points on this ground rest on, and of `more`. */
export const basisOf = ({ whole, said }: Awaited<ReturnType<typeof groundOf>>, more: unknown): string => {
  const { candles, forecast: _, funding, ...rest } = whole
  const last = candles.ts.at(-1)!
  // Rates after the last candle charge nothing.
  const charged = funding && {
    settled: [...funding.ts].flatMap((ts, k) => (ts > last ? [] : [[ts, funding.rate[k], funding.mark[k]]])),
    known: funding.known.map(({ fromMs, untilMs }) => [fromMs, Math.min(untilMs, last)]),
  }
  return hashData([ENGINE_VERSION, candlesHash(candles), said?.hash ?? null, charged, rest, more])
}
