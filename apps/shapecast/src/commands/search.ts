import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import type { RuleOrigin } from '@shapecast/contracts/bots'
import {
  SEARCH_DEFAULTS,
  SEARCH_LEVEL,
  SearchedPolicy,
  SearchRequest,
  type SearchResult,
} from '@shapecast/contracts/search'
import { doAllParts } from '@shapecast/trading/ground/jobs/parted-work'
import { searchOrder } from '@shapecast/trading/search/search-candles'
import { pointColumns } from '@shapecast/trading/search/search-file'
import { openSearch } from '@shapecast/trading/search/search-work'
import { type Command, Option } from 'commander'
import { type NamedValues, requestOf, wholeNumber } from './arguments.ts'
import * as option from './options.ts'
import { table } from './output.ts'
import { originLines, ruleNamed } from './rule-file.ts'
import { addTableOptions, printResult, type TableOptions } from './table-output.ts'
import { withProgress } from './with-parts.ts'

interface SearchOptions extends TableOptions {
  rule?: string
  policy?: string
  signal?: true
  model?: string
  param: readonly NamedValues[]
  sample?: number
  seed: number
  [parameter: string]: unknown
}

export const addSearch = (command: Command): void => {
  option
    .addOptions(addTableOptions(command, 'every combination'), [
      option.openRule('searched').conflicts(['policy', 'signal']),
      new Option('--policy <policy>', 'a policy').choices(SearchedPolicy.options).conflicts('signal'),
      new Option('--signal', "the model's signal, by how far P(up) is from 50%"),
      option.model('whose forecast is looked at'),
      option.param(),
      option.symbol(),
      option.timeframe(BACKTEST_DEFAULTS.timeframe),
      option.limit(),
      ...option.range(),
      option.keptPct(SEARCH_DEFAULTS.keptPct),
      option.marketType(),
      ...option.costs(),
    ])
    .option(
      '--min-trades <trades>',
      `what the best must have closed (default: ${SEARCH_DEFAULTS.minTrades}, of a policy 1)`,
      wholeNumber,
    )
    .option('--sample <points>', 'draw so many combinations instead of all', wholeNumber)
    .option('--seed <number>', 'by which they are drawn', wholeNumber, 1)
    .action(async (options: SearchOptions, command: Command) => {
      if (options.rule === undefined && options.policy === undefined && options.signal === undefined)
        command.error('error: name what to search: --rule FILE, --policy POLICY or --signal')
      const result = await search(options)
      printResult(options, {
        json: () => JSON.stringify(result, null, 2),
        columns: () => pointColumns(result, result),
        text: () => textOfSearch(result),
      })
    })
}

const search = (options: SearchOptions): Promise<Searched> =>
  withProgress('search', async (parts, signal, bar) => {
    const { rule, policy, param, sample, seed } = options
    const request = requestOf(SearchRequest, {
      ...options,
      kind: options.signal ? 'signal' : policy === undefined ? 'rule' : 'policy',
      ...(rule !== undefined && (await ruleNamed(parts.rules(), rule, param))),
      minTrades: options.minTrades ?? (policy === undefined ? undefined : 1),
      mlModelVersion: options.model,
      sample: sample === undefined ? undefined : { points: sample, seed },
      parameters: param,
    })
    const order = await searchOrder(parts.market, request)
    const job = { userId: null, payload: { ...order, venue: parts.market.venue } }
    const opened = await openSearch({ ...parts.backtest(), db: parts.db }, job, signal)
    const { result, found } = await doAllParts(opened, {
      signal,
      report: ({ current, total, leftS }) =>
        bar.show(current / Math.max(1, total), `${current} of ${total} combinations, ${leftS ?? '…'} s left`),
    })
    const { ruleOrigin } = request
    return { ...(ruleOrigin && { ruleOrigin }), ...result, p: found.p }
  })

const SHOWN = 10

/** The result, with the stored rule's name. */
type Searched = SearchResult & { p: number; ruleOrigin?: RuleOrigin }

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
