import type { RuleOrigin } from '@shapecast/contracts/bots'
import type { SearchResult } from '@shapecast/contracts/search'
import { type ColumnOf, columnsOf, type FileColumn } from '../ground/table-file.ts'

/** The stored rule that all rows are of; none where there is none. */
export const originColumns = (origin: RuleOrigin | undefined): ColumnOf<unknown>[] =>
  origin === undefined
    ? []
    : [
        ['rule', 'text', () => origin.name ?? origin.id],
        ['rule_version', 'number', () => origin.version],
      ]

/** Every combination of a search. */
export const pointColumns = (
  { parameters, points }: Pick<SearchResult, 'parameters' | 'points'>,
  { ruleOrigin }: { ruleOrigin?: RuleOrigin | undefined } = {},
): FileColumn[] =>
  columnsOf(points.choices, [
    ...originColumns(ruleOrigin),
    ...parameters.map(
      ({ name, values }, p): ColumnOf<readonly number[]> => [name, 'number', (choices) => values[choices[p]!]],
    ),
    ['sharpe', 'number', (_, i) => points.sharpe[i]],
    ['net_return_pct', 'number', (_, i) => points.netReturnPct[i]],
    ['max_drawdown_pct', 'number', (_, i) => points.maxDrawdownPct[i]],
    ['trades', 'number', (_, i) => points.trades[i]],
  ])
