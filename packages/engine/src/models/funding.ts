import type { Ratio } from '@shapecast/contracts/units'

/** A stretch of time: after `fromMs`, up to and with `untilMs`. */
export interface TimeStretch {
  readonly fromMs: number
  readonly untilMs: number
}

/**
 * Settlements of a perpetual future, oldest first: at `ts[k]` (ms, a whole minute) a long pays `rate[k]` × notional to a
 * short. `mark[k]` is the price of the notional (quote per base), NaN for the candle's open. `known` are the stretches that
 * have every rate, oldest first.
 */
export interface FundingSeries {
  readonly ts: Float64Array
  readonly rate: Float64Array
  readonly mark: Float64Array
  readonly known: readonly TimeStretch[]
}

/** Settlements of most contracts: 00, 08 and 16 UTC. */
export const USUAL_STEP_MS = 8 * 3_600_000
/** What either side pays where the rate is not known; nobody receives it. */
const ASSUMED_RATE: Ratio = 0.0001
/** Above this share of assumed funding a net result says nothing. */
export const MOST_ASSUMED: Ratio = 0.05

/**
 * What a position of `size` base (below 0 short) receives at the settlements of a stretch, quote: below 0 it pays. A long
 * pays a positive rate of its notional at the settlement's mark, else at `open` (quote per base). Where rates are not known,
 * either side pays 0.0001 at 00, 08 and 16 UTC.
 */
export function fundingReceived(
  { ts, rate, mark, known }: FundingSeries,
  { fromMs, untilMs }: TimeStretch,
  size: number,
  open: number,
): number {
  let received = 0
  for (let k = indexAfter(ts, fromMs); k < ts.length && ts[k]! <= untilMs; k++)
    received -= size * (Number.isNaN(mark[k]!) ? open : mark[k]!) * rate[k]!
  for (let at = (Math.floor(fromMs / USUAL_STEP_MS) + 1) * USUAL_STEP_MS; at <= untilMs; at += USUAL_STEP_MS)
    if (!known.some((range) => range.fromMs < at && at <= range.untilMs))
      received -= Math.abs(size) * open * ASSUMED_RATE
  return received
}

/** The share of the held time of pairs whose rates are not known; 0 where nothing was held. */
export function assumedRatio(
  pairs: readonly { readonly held: readonly TimeStretch[]; readonly known: readonly TimeStretch[] }[],
): Ratio {
  const lengthOf = (stretches: readonly TimeStretch[]) =>
    stretches.reduce((sum, { fromMs, untilMs }) => sum + Math.max(0, untilMs - fromMs), 0)
  const all = lengthOf(pairs.flatMap(({ held }) => held))
  const within = pairs.flatMap(({ held, known }) =>
    held.flatMap(({ fromMs, untilMs }) =>
      known.map((range) => ({ fromMs: Math.max(fromMs, range.fromMs), untilMs: Math.min(untilMs, range.untilMs) })),
    ),
  )
  return all === 0 ? 0 : (all - lengthOf(within)) / all
}

/** When something may next be charged after a time: at the next record, or at 00, 08 or 16 UTC. */
export const nextSettlement = ({ ts }: FundingSeries, afterMs: number): number =>
  Math.min(
    ts[indexAfter(ts, afterMs)] ?? Number.POSITIVE_INFINITY,
    (Math.floor(afterMs / USUAL_STEP_MS) + 1) * USUAL_STEP_MS,
  )

/** When the settlement after the last known one is due, by the time between the last two. */
export function nextDue({ ts, known }: FundingSeries): number {
  const apart = ts.length < 2 ? USUAL_STEP_MS : ts[ts.length - 1]! - ts[ts.length - 2]!
  return (known.at(-1)?.untilMs ?? Number.NEGATIVE_INFINITY) + Math.min(apart, USUAL_STEP_MS)
}

/** The index of the first of rising times after `ms`. */
function indexAfter(ts: Float64Array, ms: number): number {
  let low = 0
  let high = ts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ts[middle]! <= ms) low = middle + 1
    else high = middle
  }
  return low
}
