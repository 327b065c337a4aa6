import type { CandleRow } from '@shapecast/contracts/market'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/** After an older page could not be loaded, so long passes before panning asks again. */
const RETRY_MS = 5000

/** Loads older rows with `load`, a page at a time: `ask` does nothing while one is under way or has just failed. */
export function useOlderPage(load: () => Promise<void>) {
  const failedAtMs = useRef(0)
  const { isPending, mutate, error } = useMutation({
    mutationFn: load,
    onError: () => {
      failedAtMs.current = Date.now()
    },
  })
  const ask = useCallback(() => {
    if (!isPending && Date.now() - failedAtMs.current > RETRY_MS) mutate()
  }, [isPending, mutate])
  return { ask, isPending, error }
}

/** Most candles that a chart keeps, and most that one call returns. */
export const MAX_CANDLES = 10_000

/** Overlapping candles that have to differ before the reply is taken for that of another market. */
const MIN_COMPARED = 4

/** A candle of the reply, as the stored object where it says the same, so that an unchanged candle stays identical. */
function sameOr(stored: CandleRow | undefined, fresh: CandleRow): CandleRow {
  return stored?.every((value, i) => value === fresh[i]) ? stored : fresh
}

/** Whether the closed candles that both have tell different histories: the server has changed its market. */
function isOtherMarket(overlap: readonly CandleRow[], fresh: readonly CandleRow[]): boolean {
  const byTime = new Map(overlap.map((row) => [row[0], row]))
  let compared = 0
  let different = 0
  for (const row of fresh.slice(0, -1)) {
    const other = byTime.get(row[0])
    if (other === undefined) continue
    compared++
    if (other[4] !== row[4]) different++
  }
  return compared >= MIN_COMPARED && different > compared / 2
}

/** First index at which `rows` (ascending) opens at or after `t`. */
const indexFrom = (rows: readonly CandleRow[], t: number): number => rows.findLastIndex((row) => row[0] < t) + 1

/**
 * The newest candles of a reply put over the stored ones, ascending, at most 10,000. A reply that is one candle behind
 * takes nothing away; one that ends earlier than that, or that tells another history, replaces everything: the market
 * was set back or changed. Returns null where candles between the two are missing and have to be loaded first.
 */
export function mergeNewest(
  stored: readonly CandleRow[],
  fresh: readonly CandleRow[],
  stepMs: number,
): readonly CandleRow[] | null {
  const lastStored = stored.at(-1)
  const lastFresh = fresh.at(-1)
  if (lastFresh === undefined) return stored
  if (lastStored === undefined || lastFresh[0] < lastStored[0] - stepMs) return fresh
  if (fresh[0]![0] > lastStored[0] + stepMs) return null
  const from = indexFrom(stored, fresh[0]![0])
  const overlap = stored.slice(from)
  if (isOtherMarket(overlap, fresh)) return fresh
  const byTime = new Map(overlap.map((row) => [row[0], row]))
  const merged = fresh.map((row) => sameOr(byTime.get(row[0]), row))
  const ahead = stored.slice(indexFrom(stored, lastFresh[0] + 1))
  if (merged.length === overlap.length && ahead.length === 0 && merged.every((row, i) => row === overlap[i]))
    return stored
  return [...stored.slice(0, from), ...merged, ...ahead].slice(-MAX_CANDLES)
}

/** An older page put before the stored candles; what is not older is left out, and the newest 10,000 stay. */
export function prependOlder(stored: readonly CandleRow[], older: readonly CandleRow[]): readonly CandleRow[] {
  const first = stored[0]
  const before = first === undefined ? older : older.slice(0, indexFrom(older, first[0]))
  return before.length === 0 ? stored : [...before, ...stored].slice(-MAX_CANDLES)
}
