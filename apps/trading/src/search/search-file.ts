import type { SearchResult } from '@shapecast/contracts/search'
import type { FileColumn } from '../ground/table-file.ts'

/** A column of numbers or times (ms), NaN where one is not known. */
export const numbers = (
  name: string,
  values: readonly (number | null | undefined)[],
  kind: 'number' | 'time' = 'number',
): FileColumn => ({
  name,
  kind,
  values: values.map((value) => value ?? Number.NaN),
})

/** Every combination of a search. */
export const pointColumns = ({ parameters, points }: Pick<SearchResult, 'parameters' | 'points'>): FileColumn[] => [
  ...parameters.map(({ name, values }, p) =>
    numbers(
      name,
      points.choices.map((choices) => values[choices[p]!]),
    ),
  ),
  numbers('sharpe', points.sharpe),
  numbers('net_return_pct', points.netReturnPct),
  numbers('max_drawdown_pct', points.maxDrawdownPct),
  numbers('trades', points.trades),
]
