/**
 * Years × squared Sharpe ratio after which half of all bots with such an edge are told from luck by `testDaily`; the ratio
 * counts 365.25 days a year, as all here do. Of normal days 7.2 to 9.1 for ratios from 1 to 3.
 */
const HALF_TOLD_YEARS = 8.1

/**
 * Yearly Sharpe ratio from the return and volatility of a year, both as ratios: 0 where nothing varies.
 * @public
 */
export const sharpeOfYear = (returnRatio: number, volatilityRatio: number): number =>
  volatilityRatio > 0 ? returnRatio / volatilityRatio : 0

/**
 * Years of daily looks until an edge can be told from luck, as likely as not. `sharpe` is that of the edge by year, what is
 * gained over holding as much; an edge below 0 takes as long to be told as one above. Infinite without an edge.
 * @public
 */
export const yearsUntilKnown = (sharpe: number): number => HALF_TOLD_YEARS / sharpe ** 2
