import type { SearchResult } from '@shapecast/contracts/search'

/** One pair of values: the figure of its combinations, and how many they are. */
export interface HeatCell {
  /** Null where no combination had enough trades. */
  readonly sharpe: number | null
  readonly count: number
}

const middleOf = (sorted: readonly number[]): number | null => {
  if (sorted.length === 0) return null
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

/** Row by row of the values of one parameter, across those of another: the median of the combinations, or the best. */
export function heatCells(
  { parameters, points }: Pick<SearchResult, 'parameters' | 'points'>,
  down: number,
  across: number,
  by: 'median' | 'best',
): HeatCell[][] {
  const found = parameters[down]!.values.map(() => parameters[across]!.values.map(() => [] as number[]))
  for (const [k, choices] of points.choices.entries()) {
    const sharpe = points.sharpe[k]
    if (sharpe != null) found[choices[down]!]![choices[across]!]!.push(sharpe)
  }
  return found.map((row) =>
    row.map((sharpes) => {
      const sorted = sharpes.sort((a, b) => a - b)
      return { count: sorted.length, sharpe: by === 'best' ? (sorted.at(-1) ?? null) : middleOf(sorted) }
    }),
  )
}

/** The points with enough trades by their Sharpe ratio, the best first. */
export const rankedPoints = ({ points }: Pick<SearchResult, 'points'>): number[] =>
  points.sharpe
    .flatMap((sharpe, k) => (sharpe === null ? [] : [{ sharpe, k }]))
    .sort((a, b) => b.sharpe - a.sharpe || a.k - b.k)
    .map(({ k }) => k)
