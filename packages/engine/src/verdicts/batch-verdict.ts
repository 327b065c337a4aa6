import type { BatchVerdict } from '@shapecast/contracts/batch'
import { expectedBestSharpe } from '../selection/deflated-sharpe.ts'
import { normalProbability } from '../selection/normal.ts'

/** A run of a batch. */
export interface JudgedCell {
  /** Sharpe ratio a year over holding as much, so that a rise of the coin is no skill; null where it is not known. */
  readonly sharpe: number | null
  readonly years: number
  /** Whether its return alone is above 0 beyond chance. */
  readonly isClear: boolean
}

const LEVEL = 0.05

/**
 * Without skill a Sharpe ratio over so many years is normal with a deviation of 1 / √years (Lo, The Statistics of Sharpe
 * Ratios, 2002, near 0), so the best of n reaches it in 1 − Φ(z)ⁿ of cases. n counts all `tries` on the series, not these runs
 * alone. Runs on coins that move together are fewer than n: the verdict is then harder to pass.
 */
export function batchVerdict(cells: readonly (JudgedCell | null)[], tries: number): BatchVerdict {
  const known = cells.flatMap((cell, k) =>
    cell === null || cell.sharpe === null || !(cell.years > 0)
      ? []
      : [{ k, years: cell.years, z: cell.sharpe * Math.sqrt(cell.years) }],
  )
  const clear = cells.filter((cell) => cell?.isClear === true).length
  const [best] = known.toSorted((a, b) => b.z - a.z)
  if (best === undefined) return { code: 'too_few', runs: 0, clear, best: null, luckSharpe: null, p: null }
  const trials = Math.max(tries, known.length)
  const p = 1 - normalProbability(best.z) ** trials
  return {
    code: p <= LEVEL ? 'better_than_luck' : 'what_luck_gives',
    runs: known.length,
    clear,
    best: best.k,
    luckSharpe: expectedBestSharpe(trials, 1 / best.years),
    p,
  }
}
