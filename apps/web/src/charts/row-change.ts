import type { CandleRow } from '@shapecast/contracts/market'

/**
 * How a list of candles became another one: `none`; `tail`: the same up to index `from`, then changed or new; `moved`:
 * what had index 0 has index `by` now (below 0: the oldest went); `other`: nothing in common.
 */
export type RowChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'tail'; readonly from: number }
  | { readonly kind: 'moved'; readonly by: number }
  | { readonly kind: 'other' }

const indexOfTime = (rows: readonly CandleRow[], t: number) => rows.findIndex((row) => row[0] === t)

/** Compares by identity: a candle that has not changed is the same object in both lists. */
export function rowChange(before: readonly CandleRow[], after: readonly CandleRow[]): RowChange {
  if (before === after) return { kind: 'none' }
  const firstBefore = before[0]
  const firstAfter = after[0]
  if (firstBefore === undefined || firstAfter === undefined) return { kind: 'other' }
  if (firstBefore[0] === firstAfter[0] && after.length >= before.length) {
    let from = before.length
    while (from > 0 && before[from - 1] !== after[from - 1]) from--
    // Only what follows the last difference is known to be the same; a difference may lie deeper.
    let first = from
    for (let i = 0; i < from; i++)
      if (before[i] !== after[i]) {
        first = i
        break
      }
    return first === before.length && after.length === before.length ? { kind: 'none' } : { kind: 'tail', from: first }
  }
  const added = indexOfTime(after, firstBefore[0])
  if (added >= 0) return { kind: 'moved', by: added }
  const gone = indexOfTime(before, firstAfter[0])
  return gone > 0 ? { kind: 'moved', by: -gone } : { kind: 'other' }
}
