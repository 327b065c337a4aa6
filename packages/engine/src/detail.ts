import type { Account } from './account.ts'
import type { Candles } from './candles.ts'

/** The smaller candles within larger ones, by the open time of the larger one, ms. */
export type DetailCandles = ReadonlyMap<number, Candles>

/** A candle that reached a stop (or the liquidation) and the target, and whether smaller ones told which came first. */
export interface BothReached {
  readonly time: number
  readonly isTold: boolean
}

/**
 * Whether a position reaches its target before its stop in a candle that opened at `time` and reaches both; null where its
 * smaller candles do not tell: they are not there, some are missing until then, or one of them reaches both.
 */
export function isTargetFirst(account: Account, detail: DetailCandles | null, time: number): boolean | null {
  const candles = detail?.get(time)
  if (candles === undefined || candles.ts[0] !== time) return null
  const { ts, low, high, length } = candles
  const step = length > 1 ? ts[1]! - time : 0
  for (let i = 0; i < length; i++) {
    if (ts[i] !== time + i * step) return null
    const isBelow = low[i]! <= account.lowerTrigger
    const isAbove = high[i]! >= account.upperTrigger
    if (isBelow && isAbove) return null
    if (isBelow || isAbove) return account.side > 0 ? isAbove : isBelow
  }
  return null
}

/** Rounds at most: in each at least one more candle is looked into. */
const MOST_ROUNDS = 200

/**
 * Runs with the smaller candles of all that reach both stop and target. Which those are is only known by running: a trade
 * that ends otherwise lets others follow. `load` gives what is stored within the candles of a pair that opened at `times`.
 */
export async function runWithDetail<
  R extends { readonly bothReached: readonly (BothReached & { readonly symbol?: string })[] },
>(
  run: (detailOf: (symbol?: string) => DetailCandles) => R,
  load: (symbol: string | undefined, time: number) => Promise<Candles>,
): Promise<R> {
  const details = new Map<string, Map<number, Candles>>()
  const detailOf = (symbol = '') => details.get(symbol) ?? details.set(symbol, new Map()).get(symbol)!
  for (let round = 0; ; round++) {
    const result = run(detailOf)
    const unread = result.bothReached.filter(({ symbol, time }) => !detailOf(symbol).has(time))
    if (unread.length === 0 || round === MOST_ROUNDS) return result
    for (const { symbol, time } of unread) detailOf(symbol).set(time, await load(symbol, time))
  }
}
