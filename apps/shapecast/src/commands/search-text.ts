import type { RuleOrigin } from '@shapecast/contracts/bots'
import { SEARCH_LEVEL, type SearchResult } from '@shapecast/contracts/search'
import { table } from './output.ts'
import { originLines } from './rule-file.ts'

const SHOWN = 10

/** The result, with the stored rule's name. */
export type Searched = SearchResult & { p: number; ruleOrigin?: RuleOrigin }

const pct = (value: number): string => `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}%`

/** A search for people: the verdict, then the best combinations. */
export function textOfSearch(result: Searched): string {
  const { p, best, luck, overfitting, keptRun, points, parameters, moved } = result
  const ranked = points.sharpe
    .flatMap((sharpe, k) => (sharpe === null ? [] : [{ sharpe, k }]))
    .sort((a, b) => b.sharpe - a.sharpe || a.k - b.k)
    .slice(0, SHOWN)
  return [
    ...originLines(result.ruleOrigin),
    p <= SEARCH_LEVEL ? 'More than luck where it was chosen.' : 'No better than luck.',
    `The best of ${points.choices.length} has a Sharpe of ${best.sharpe.toFixed(2)} on the searched part; luck alone gives about ${luck.sharpe.toFixed(2)} (reality check p = ${p.toFixed(3)}).`,
    ...(overfitting === null
      ? []
      : [
          `Chosen on one half of the history, the winner fell into the lower half on the other in ${(100 * overfitting.probability).toFixed(0)}% of ${overfitting.choices} splits.`,
        ]),
    keptRun === null
      ? 'No part was kept unseen.'
      : `On the part kept unseen it came to ${pct(keptRun.returnPct)}, holding to ${pct(keptRun.holdPct)}; ${keptRun.trades} trades.`,
    '',
    table([
      [...parameters.map(({ name }) => name), 'Sharpe', 'net return', 'drawdown', 'trades'],
      ...ranked.map(({ sharpe, k }) => [
        ...parameters.map(({ values }, i) => String(values[points.choices[k]![i]!])),
        sharpe.toFixed(2),
        pct(points.netReturnPct[k]!),
        pct(-points.maxDrawdownPct[k]!),
        String(points.trades[k]),
      ]),
    ]),
    '',
    `What moved the result: ${moved.map(({ name, share }) => `${name} ${(100 * share).toFixed(0)}%`).join(', ')}.`,
    'Tries on the command line belong to nobody and are not counted: the figure of luck is that of this search alone.',
  ].join('\n')
}
