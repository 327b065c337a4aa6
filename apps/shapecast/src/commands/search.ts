import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { AppError } from '@shapecast/contracts/errors'
import { SEARCH_DEFAULTS, SearchedPolicy, SearchRequest } from '@shapecast/contracts/search'
import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { doAllParts } from '@shapecast/trading/ground/jobs/parted-work'
import { searchOrder } from '@shapecast/trading/search/search-candles'
import { pointColumns } from '@shapecast/trading/search/search-file'
import { openSearch } from '@shapecast/trading/search/search-work'
import { type Command, Option } from 'commander'
import { decimal, type NamedValues, symbolOf, timeOf, valuesOf, versionOf, wholeNumber } from './arguments.ts'
import { progressOf } from './output.ts'
import { ruleNamed } from './rule-file.ts'
import { type Searched, textOfSearch } from './search-text.ts'
import { addTableOptions, printResult, type TableOptions } from './table-output.ts'
import { type OpenedParts, withParts } from './with-parts.ts'

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
  addTableOptions(command, 'every combination')
    .addOption(
      new Option(
        '--rule <file>',
        'a rule whose searched numbers stand in braces, ema({fast}): a file, the text itself, or a stored one as NAME or NAME@2, whose numbers are called ema_20',
      ).conflicts(['policy', 'signal']),
    )
    .addOption(new Option('--policy <policy>', 'a policy').choices(SearchedPolicy.options).conflicts('signal'))
    .option('--signal', "the model's signal, by how far P(up) is from 50%")
    .addOption(new Option('--model <version>', 'whose forecast is looked at').argParser(versionOf))
    .addOption(
      new Option(
        '--param <name=values>',
        "what is tried, such as 'fast=4 to 40 by 4' or 'stopLossPct=0,2,4'; once for each",
      )
        .argParser(valuesOf)
        .default([], 'none'),
    )
    .requiredOption('--symbol <symbol>', 'the market, such as BTCUSDT', symbolOf)
    .addOption(
      new Option('--timeframe <timeframe>', 'how long one candle is')
        .choices(TIMEFRAMES)
        .default(BACKTEST_DEFAULTS.timeframe),
    )
    .option('--limit <candles>', 'the newest so many candles, or the last ones up to --to', wholeNumber, LAB_CANDLES)
    .option('--from <time>', 'from this time on, such as 2024-01-31', timeOf)
    .option('--to <time>', 'up to this time', timeOf)
    .option('--kept-pct <percent>', 'of the candles, kept unseen for the best', decimal, SEARCH_DEFAULTS.keptPct)
    .option(
      '--min-trades <trades>',
      `what the best must have closed (default: ${SEARCH_DEFAULTS.minTrades}, of a policy 1)`,
      wholeNumber,
    )
    .option('--sample <points>', 'draw so many combinations instead of all', wholeNumber)
    .option('--seed <number>', 'by which they are drawn', wholeNumber, 1)
    .addOption(new Option('--market-type <type>', 'what is traded').choices(['spot', 'futures']).default('spot'))
    .option('--fee-rate <ratio>', 'of the notional, on each fill', decimal, BACKTEST_DEFAULTS.feeRate)
    .option('--slippage-bps <bps>', 'moved against us on each fill', decimal, BACKTEST_DEFAULTS.slippageBps)
    .action(async (options: SearchOptions, command: Command) => {
      if (options.rule === undefined && options.policy === undefined && options.signal === undefined)
        command.error('error: name what to search: --rule FILE, --policy POLICY or --signal')
      const result = await withParts((parts, signal) => search(parts, options, signal))
      printResult(options, {
        json: () => JSON.stringify(result, null, 2),
        columns: () => pointColumns(result, result),
        text: () => textOfSearch(result),
      })
    })
}

async function search(parts: OpenedParts, options: SearchOptions, signal: AbortSignal): Promise<Searched> {
  const {
    rule,
    policy,
    signal: isSignal,
    model,
    param,
    sample,
    seed,
    json: _json,
    csv: _csv,
    parquet: _parquet,
    ...rest
  } = options
  const bar = progressOf('search')
  try {
    const named = rule === undefined ? {} : await ruleNamed(parts.rules(), rule, param)
    const read = SearchRequest.safeParse({
      ...rest,
      kind: isSignal ? 'signal' : policy === undefined ? 'rule' : 'policy',
      ...named,
      ...(policy === undefined ? {} : { policy, minTrades: rest.minTrades ?? 1 }),
      ...(model === undefined ? {} : { mlModelVersion: model }),
      ...(sample === undefined ? {} : { sample: { points: sample, seed } }),
      parameters: param,
    })
    if (!read.success) throw new AppError('bad_input', `${read.error.issues[0]!.message}.`)
    const order = await searchOrder(parts.market, read.data)
    const job = { userId: null, payload: { ...order, venue: parts.market.venue } }
    const opened = await openSearch({ ...parts.backtest(), db: parts.db }, job, signal)
    const { result, found } = await doAllParts(opened, {
      signal,
      report: ({ current, total, leftS }) =>
        bar.show(current / Math.max(1, total), `${current} of ${total} combinations, ${leftS ?? '…'} s left`),
    })
    const { ruleOrigin } = read.data
    return { ...(ruleOrigin && { ruleOrigin }), ...result, p: found.p }
  } finally {
    bar.end()
  }
}
