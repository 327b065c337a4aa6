import { historyDays } from '@shapecast/contracts/policies'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, dailyCloses, indexAtOrAfter } from '../candles.ts'

/** Daily closes that each rule looks back over. */
const LOOKBACKS = [5, 10, 20, 30, 60, 90, 150, 250, 360] as const
/** Rules that must have their lookback before they vote together. */
const LEAST_RULES = 5

/** By daily close: the largest and the smallest of the last `lookback`, with it; NaN before there are as many. */
interface Channel {
  readonly lookback: number
  readonly highest: Float64Array
  readonly lowest: Float64Array
  /** The stop of the rule followed from the first close of all; NaN while it is flat. */
  readonly stops: Float64Array
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
  const days = { length: at.length, ts: Float64Array.from(at) }
  return (i) => votesAt(daily, channels, indexAtOrAfter(days, i + 1) - 1)
}

function channelOf(daily: Float64Array, lookback: number): Channel {
  const highest = new Float64Array(daily.length).fill(Number.NaN)
  const lowest = new Float64Array(daily.length).fill(Number.NaN)
  const stops = new Float64Array(daily.length).fill(Number.NaN)
  const channel = { lookback, highest, lowest, stops }
  for (let day = lookback - 1; day < daily.length; day++) {
    let high = daily[day]!
    let low = high
    for (let k = day - lookback + 1; k < day; k++) {
      high = Math.max(high, daily[k]!)
      low = Math.min(low, daily[k]!)
    }
    highest[day] = high
    lowest[day] = low
    stops[day] = stopAfter(stops[day - 1] ?? Number.NaN, daily, channel, day)
  }
  return channel
}

function votesAt(daily: Float64Array, channels: readonly Channel[], last: number): number {
  const first = Math.max(0, last - historyDays('trend_ensemble') + 1)
  const voting = channels.filter(({ lookback }) => last - first + 1 >= lookback)
  if (voting.length < LEAST_RULES) return Number.NaN
  return voting.filter((channel) => isLong(daily, channel, first, last)).length / voting.length
}

/** The stop of a rule after a daily close, from the one before it; NaN while it is flat. */
function stopAfter(stop: number, daily: Float64Array, { highest, lowest }: Channel, day: number): number {
  const close = daily[day]!
  const middle = (highest[day]! + lowest[day]!) / 2
  if (Number.isNaN(stop)) return close >= highest[day]! ? middle : Number.NaN
  return close <= stop ? Number.NaN : Math.max(stop, middle)
}

/** Whether a rule is long after the daily close `last`, flat before the first one for which it has its lookback. */
function isLong(daily: Float64Array, channel: Channel, first: number, last: number): boolean {
  let stop = Number.NaN
  for (let day = first + channel.lookback - 1; day <= last; day++) {
    stop = stopAfter(stop, daily, channel, day)
    // From here on it is the rule that was followed from the first close of all.
    if (Object.is(stop, channel.stops[day])) return !Number.isNaN(channel.stops[last]!)
  }
  return !Number.isNaN(stop)
}
