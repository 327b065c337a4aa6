import { type TimeStretch, USUAL_STEP_MS } from '@shapecast/engine/models/funding'

/** What holders of a perpetual future paid each other at a settlement. */
export interface FundingRecord {
  /** A whole minute, ms UTC. */
  readonly timeMs: number
  /** Share of the notional that a long pays to a short. */
  readonly rate: number
  /** Quote per base; NaN where it is not given. */
  readonly mark: number
  /** Since the settlement before, ms; null where it is not given. */
  readonly intervalMs: number | null
}

/** A stretch with every settlement in it. */
export interface FundingStretch extends TimeStretch {
  readonly ts: readonly number[]
  readonly rate: readonly number[]
  readonly mark: readonly number[]
}

const MINUTE_MS = 60_000
/** Venues stamp settlements some milliseconds late. */
export const toMinute = (ms: number): number => Math.round(ms / MINUTE_MS) * MINUTE_MS

/** How much longer than its interval the time since the settlement before may be. */
const TOLERANCE = 1.5

/**
 * Records as stretches that have no gap. One is missing where the time since the record before is longer than the interval:
 * the record's own, else the median of the five distances around it, since contracts change theirs.
 */
export function stretchesOf(records: readonly FundingRecord[]): FundingStretch[] {
  const sorted = [...new Map(records.map((record) => [record.timeMs, record])).values()].sort(
    (a, b) => a.timeMs - b.timeMs,
  )
  const apart = sorted.slice(1).map(({ timeMs }, k) => timeMs - sorted[k]!.timeMs)
  const stretches: { fromMs: number; untilMs: number; ts: number[]; rate: number[]; mark: number[] }[] = []
  for (const [k, { timeMs, rate, mark, intervalMs }] of sorted.entries()) {
    const around = apart.slice(Math.max(0, k - 3), k + 2).sort((a, b) => a - b)
    const usual = around[Math.floor(around.length / 2)] ?? USUAL_STEP_MS
    const interval = intervalMs ?? Math.min(usual, USUAL_STEP_MS)
    const last = stretches.at(-1)
    const open =
      last !== undefined && timeMs - last.untilMs <= TOLERANCE * interval
        ? last
        : { fromMs: timeMs - interval, untilMs: timeMs, ts: [], rate: [], mark: [] }
    if (open !== last) stretches.push(open)
    open.untilMs = timeMs
    open.ts.push(timeMs)
    open.rate.push(rate)
    open.mark.push(mark)
  }
  return stretches
}

/** Stretches joined where they touch or lie over each other; of two records of one time the later stretch's counts. */
export function joinStretches(stretches: readonly FundingStretch[]): FundingStretch[] {
  const joined: FundingStretch[] = []
  const ordered = stretches.map((stretch, k) => ({ stretch, k })).sort((a, b) => a.stretch.fromMs - b.stretch.fromMs)
  for (let from = 0; from < ordered.length; ) {
    const group = [ordered[from]!]
    let { untilMs } = group[0]!.stretch
    for (from++; from < ordered.length && ordered[from]!.stretch.fromMs <= untilMs; from++) {
      group.push(ordered[from]!)
      untilMs = Math.max(untilMs, ordered[from]!.stretch.untilMs)
    }
    const records = new Map<number, readonly [number, number]>()
    for (const { stretch } of group.toSorted((a, b) => a.k - b.k))
      for (const [i, ts] of stretch.ts.entries()) records.set(ts, [stretch.rate[i]!, stretch.mark[i]!])
    const all = [...records].sort(([a], [b]) => a - b)
    joined.push({
      fromMs: group[0]!.stretch.fromMs,
      untilMs,
      ts: all.map(([ts]) => ts),
      rate: all.map(([, [rate]]) => rate),
      mark: all.map(([, [, mark]]) => mark),
    })
  }
  return joined
}
