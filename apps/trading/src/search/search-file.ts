import type { RuleOrigin } from '@shapecast/contracts/bots'
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

/** The stored rule that all rows are of; none where there is none. */
export const originColumns = (origin: RuleOrigin | undefined, rows: number): FileColumn[] =>
  origin === undefined
    ? []
    : [
        { name: 'rule', kind: 'text', values: new Array<string>(rows).fill(origin.name ?? origin.id) },
        numbers('rule_version', new Array<number>(rows).fill(origin.version)),
      ]

/** Every combination of a search. */
export const pointColumns = (
  { parameters, points }: Pick<SearchResult, 'parameters' | 'points'>,
  { ruleOrigin }: { ruleOrigin?: RuleOrigin | undefined } = {},
): FileColumn[] => [
  ...originColumns(ruleOrigin, points.choices.length),
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
