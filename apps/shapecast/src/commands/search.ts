import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { SEARCH_DEFAULTS, SearchedPolicy, SearchRequest } from '@shapecast/contracts/search'
import { doAllParts } from '@shapecast/trading/ground/jobs/parted-work'
import { searchOrder } from '@shapecast/trading/search/search-candles'
import { pointColumns } from '@shapecast/trading/search/search-file'
import { openSearch } from '@shapecast/trading/search/search-work'
import { type Command, Option } from 'commander'
import { type NamedValues, requestOf, wholeNumber } from './arguments.ts'
import * as option from './options.ts'
import { ruleNamed } from './rule-file.ts'
import { type Searched, textOfSearch } from './search-text.ts'
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
