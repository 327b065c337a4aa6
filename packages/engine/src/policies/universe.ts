import { type Candles, indexAtOrAfter } from '../candles.ts'
import type { GoneAt } from '../portfolio.ts'

const DAY_MS = 86_400_000
/** Days whose traded value decides who is held in a month. */
const VOLUME_DAYS = 30

/** The candles of one coin that may be held. */
export interface Candidate {
  readonly symbol: string
  readonly candles: Candles
}

/** Whether a coin is among those held in the month (UTC) of a close, ms. */
export type Universe = (symbol: string, closeMs: number) => boolean

/** The midnight (UTC, ms) at which the month of a moment begins. */
export function monthStart(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

/**
 * The `count` coins of most quote volume (Σ volume · close) in the 30 days before a month begins, the largest first, equal
 * ones by name; fewer where fewer have any. Only candles that opened before `monthMs` count. A coin that had none in the last
 * of these days is not traded any more and left out.
 */
export function mostTraded(candidates: readonly Candidate[], count: number, monthMs: number): string[] {
  return candidates
    .flatMap(({ symbol, candles: { ts, close, volume }, candles }) => {
      const end = indexAtOrAfter(candles, monthMs)
      if (end === 0 || ts[end - 1]! < monthMs - DAY_MS) return []
      let quote = 0
      for (let i = indexAtOrAfter(candles, monthMs - VOLUME_DAYS * DAY_MS); i < end; i++)
        quote += volume[i]! * close[i]!
      return quote > 0 ? [{ symbol, quote }] : []
    })
    .sort((a, b) => b.quote - a.quote || (a.symbol < b.symbol ? -1 : 1))
    .slice(0, count)
    .map(({ symbol }) => symbol)
}

/** Who is held in each month; the candles are to begin 30 days before the first month that is asked for. */
export function createUniverse(candidates: readonly Candidate[], count: number): Universe {
  const months = new Map<number, readonly string[]>()
  return (symbol, closeMs) => {
    const month = monthStart(closeMs)
    const held = months.get(month) ?? mostTraded(candidates, count, month)
    months.set(month, held)
    return held.includes(symbol)
  }
}

/** Which of a universe's coins are gone; candles behind a close are not looked at. */
export const goneFrom =
  (candidates: readonly Candidate[], universe: Universe, stepMs: number): GoneAt =>
  (closeMs) =>
    closeMs % DAY_MS === 0
      ? candidates.map(({ symbol, candles }) => {
          const end = indexAtOrAfter(candles, closeMs)
          return end > 0 && candles.ts[end - 1]! + stepMs <= closeMs - DAY_MS && !universe(symbol, closeMs)
        })
      : null

/** A pair of a run: its targets at the closes of `candles`, and all candles that are known of it, those before the run too. */
export interface TargetedPair {
  readonly symbol: string
  readonly candles: Candles
  readonly decisions: ArrayLike<number>
  readonly basis?: Candles
}

/**
 * The targets of pairs where the `count` most traded are held month by month: 0 for a pair that is not among them, NaN stays;
 * and which pairs are gone.
 */
export function targetsOfMostTraded(
  pairs: readonly TargetedPair[],
  count: number,
  stepMs: number,
): { targets: Float64Array[]; goneAt: GoneAt } {
  const candidates = pairs.map(({ symbol, candles, basis = candles }) => ({ symbol, candles: basis }))
  const universe = createUniverse(candidates, count)
  const targets = pairs.map(({ symbol, candles: { ts }, decisions }) =>
    Float64Array.from(decisions, (target, k) =>
      Number.isNaN(target) || universe(symbol, ts[k]! + stepMs) ? target : 0,
    ),
  )
  return { targets, goneAt: goneFrom(candidates, universe, stepMs) }
}
