import type { Edge } from '@shapecast/contracts/bot-evidence'

/**
 * Years × squared Sharpe ratio after which half of all bots with such an edge are told from luck by `testDaily`; the ratio
 * counts 365.25 days a year, as all here do. Of normal days 7.2 to 9.1 for ratios from 1 to 3.
 */
const HALF_TOLD_YEARS = 8.1

const DAYS_A_YEAR = 365.25

/** Yearly Sharpe ratio from the return and volatility of a year, both as ratios: 0 where nothing varies. */
export const sharpeOfYear = (returnRatio: number, volatilityRatio: number): number =>
  volatilityRatio > 0 ? returnRatio / volatilityRatio : 0

/**
 * Years of daily looks until an edge can be told from luck, as likely as not. `sharpe` is that of the edge by year, what is
 * gained over holding as much; an edge below 0 takes as long to be told as one above. Infinite without an edge.
 */
export const yearsUntilKnown = (sharpe: number): number => HALF_TOLD_YEARS / sharpe ** 2

/** The edge that days show: their mean and standard deviation (n − 1) by year. Null of fewer than two days. */
export function edgeOfDays(excess: Float64Array): Edge | null {
  const n = excess.length
  if (n < 2) return null
  const mean = excess.reduce((sum, x) => sum + x, 0) / n
  const variance = excess.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1)
  const [yearly, volatility] = [mean * DAYS_A_YEAR, Math.sqrt(variance * DAYS_A_YEAR)]
  const years = yearsUntilKnown(sharpeOfYear(yearly, volatility))
  return { pctAYear: 100 * yearly, volatilityPct: 100 * volatility, years: Number.isFinite(years) ? years : null }
}
