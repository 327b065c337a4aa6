import { historyDays, type TargetPolicy } from '@shapecast/contracts/policies'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'

const HOUR_MS = 3_600_000
/** A year of the volatility of policies: 365 days. */
const YEAR_HOURS = 8760
export const HALF_LIFE_HOURS = 720
export const SEED_HOURS = 168
/** Fifteen half-lives: what lies further back weighs less than 1/30,000. */
const VOLATILITY_HOURS = 15 * HALF_LIFE_HOURS
const AVERAGES_HOURS = [480, 1200, 2400] as const
/** Standard deviations between the 5 % and the 95 % quantile of a normal distribution. */
const SPREAD_5_TO_95 = 2 * 1.6448536269514722

const candlesIn = (hours: number, timeframe: Timeframe): number =>
  Math.ceil((hours * HOUR_MS) / TIMEFRAME_MS[timeframe])

/**
 * Candles before a close that the measures of a policy look at. Fewer are enough when no more exist. 720 daily closes lie
 * within 721 days: the first of them is known by the candle before it.
 */
export const measuredCandles = (timeframe: Timeframe, policy: TargetPolicy): number =>
  candlesIn(24 * (historyDays(policy) + (policy === 'trend_ensemble' ? 1 : 0)), timeframe)

/** Squares of the log returns of consecutive closes; the first one is NaN. */
export const squaredReturns = (closes: Float64Array): Float64Array =>
  closes.map((close, k) => (k === 0 ? Number.NaN : Math.log(close / closes[k - 1]!) ** 2))

/**
 * Yearly volatility (ratio) at close `i` from the squared returns up to it: the square root of 8,760 hours of the mean of
 * r², r = ln of consecutive closes, weighted with a half-life of 30 days and begun with the plain mean of the first
 * week. Depends on the newest 450 days alone, so it is the same bits wherever the closes begin. NaN before a week is
 * known.
 */
export function steadyVolatility(squares: Float64Array, i: number, timeframe: Timeframe): number {
  const { seed, length, decay } = windowOf(timeframe)
  const first = Math.max(1, i - length + 1)
  if (i - first + 1 < seed) return Number.NaN
  let variance = meanFrom(squares, first, seed)
  for (let k = first + seed; k <= i; k++) variance = decay * variance + (1 - decay) * squares[k]!
  return yearly(variance, timeframe)
}

/**
 * `steadyVolatility` at closes that are asked for day after day, the same bits. Each step of a sum waits for the one before
 * it, so four days beside each other take as long as one.
 */
export function steadyVolatilities(squares: Float64Array, timeframe: Timeframe): (i: number) => number {
  const { seed, length, decay } = windowOf(timeframe)
  const day = candlesIn(24, timeframe)
  const known = new Map<number, number>()
  return (i) => {
    const first = i - length + 1
    const found = known.get(i)
    if (found !== undefined) return found
    if (first < 1 || i + 3 * day >= squares.length) return steadyVolatility(squares, i, timeframe)
    let [a, b, c, d] = [0, 1, 2, 3].map((later) => meanFrom(squares, first + later * day, seed)) as [
      number,
      number,
      number,
      number,
    ]
    for (let k = first + seed; k <= i; k++) {
      a = decay * a + (1 - decay) * squares[k]!
      b = decay * b + (1 - decay) * squares[k + day]!
      c = decay * c + (1 - decay) * squares[k + 2 * day]!
      d = decay * d + (1 - decay) * squares[k + 3 * day]!
    }
    for (const [later, variance] of [a, b, c, d].entries()) known.set(i + later * day, yearly(variance, timeframe))
    return known.get(i)!
  }
}

const windowOf = (timeframe: Timeframe) => ({
  seed: candlesIn(SEED_HOURS, timeframe),
  length: candlesIn(VOLATILITY_HOURS, timeframe),
  decay: 0.5 ** (TIMEFRAME_MS[timeframe] / (HALF_LIFE_HOURS * HOUR_MS)),
})

function meanFrom(squares: Float64Array, first: number, count: number): number {
  let sum = 0
  for (let k = first; k < first + count; k++) sum += squares[k]!
  return sum / count
}

const yearly = (variance: number, timeframe: Timeframe): number =>
  Math.sqrt(variance * ((YEAR_HOURS * HOUR_MS) / TIMEFRAME_MS[timeframe]))

/** Share of the simple averages over 20, 50 and 100 days that lie below close `i`; NaN before 100 days are known. */
export function trendShare(closes: Float64Array, i: number, timeframe: Timeframe): number {
  let below = 0
  for (const hours of AVERAGES_HOURS) {
    const count = candlesIn(hours, timeframe)
    if (i + 1 < count) return Number.NaN
    let sum = 0
    for (let k = i - count + 1; k <= i; k++) sum += closes[k]!
    if (sum / count < closes[i]!) below++
  }
  return below / AVERAGES_HOURS.length
}

/**
 * Yearly volatility (ratio) out of a model's fan at its longest horizon: its 5 and 95 % prices taken as those of a
 * normal distribution of the log return, spread evenly over the candles until then. NaN without a fan.
 */
export const modelVolatility = (low: number, high: number, horizon: number, timeframe: Timeframe): number =>
  (Math.log(high / low) / SPREAD_5_TO_95) * Math.sqrt((YEAR_HOURS * HOUR_MS) / (horizon * TIMEFRAME_MS[timeframe]))
