import { historyDays } from '@shapecast/contracts/policies'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, dailyCloses } from '../candles.ts'

/** Daily closes that each rule looks back over. */
const LOOKBACKS = [5, 10, 20, 30, 60, 90, 150, 250, 360] as const
/** Rules that must have their lookback before they vote together. */
const LEAST_RULES = 5

/** By daily close: the largest and the smallest of the last `lookback`, with it; NaN before there are as many. */
interface Channel {
  readonly lookback: number
  readonly highest: Float64Array
  readonly lowest: Float64Array
}

/**
 * The share of nine trend rules that are long at the close of a candle, after Zarattini, Pagani and Barbon (2025). A rule
 * goes long when a daily close is the highest of its lookback, with its stop in the middle between the highest and the
 * lowest. The stop follows that middle up and never falls; a daily close at or below it ends the position. Recomputed from
 * the newest 720 daily closes, so it is the same bits wherever the candles begin. NaN before five rules have their
 * lookback (60 daily closes). Takes no price but daily closes.
 */
export function trendVotes(candles: Candles, timeframe: Timeframe): (i: number) => number {
  const at = dailyCloses(candles, timeframe)
  const daily = Float64Array.from(at, (i) => candles.close[i]!)
  const channels = LOOKBACKS.map((lookback) => channelOf(daily, lookback))
  return (i) =>
    votesAt(
      daily,
      channels,
      at.findLastIndex((candle) => candle <= i),
    )
}

function channelOf(daily: Float64Array, lookback: number): Channel {
  const highest = new Float64Array(daily.length).fill(Number.NaN)
  const lowest = new Float64Array(daily.length).fill(Number.NaN)
  for (let day = lookback - 1; day < daily.length; day++) {
    let high = daily[day]!
    let low = high
    for (let k = day - lookback + 1; k < day; k++) {
      high = Math.max(high, daily[k]!)
      low = Math.min(low, daily[k]!)
    }
    highest[day] = high
    lowest[day] = low
  }
  return { lookback, highest, lowest }
}

function votesAt(daily: Float64Array, channels: readonly Channel[], last: number): number {
  const first = Math.max(0, last - historyDays('trend_ensemble') + 1)
  const voting = channels.filter(({ lookback }) => last - first + 1 >= lookback)
  if (voting.length < LEAST_RULES) return Number.NaN
  return voting.filter((channel) => isLong(daily, channel, first, last)).length / voting.length
}

/** Whether a rule is long after the daily close `last`, flat before the first one for which it has its lookback. */
function isLong(daily: Float64Array, { lookback, highest, lowest }: Channel, first: number, last: number): boolean {
  let long = false
  let stop = Number.NaN
  for (let day = first + lookback - 1; day <= last; day++) {
    const middle = (highest[day]! + lowest[day]!) / 2
    if (!long) {
      long = daily[day]! >= highest[day]!
      stop = middle
    } else if (daily[day]! <= stop) long = false
    else stop = Math.max(stop, middle)
  }
  return long
}
