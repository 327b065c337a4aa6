import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { BatchRequest, type BatchResult } from '@shapecast/contracts/batch'
import { AppError } from '@shapecast/contracts/errors'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { doAllParts } from '@shapecast/trading/ground/jobs/parted-work'
import { batchOrders } from '@shapecast/trading/lab/batch-service'
import { batchResult, batchWork } from '@shapecast/trading/lab/batch-work'
import { cellColumns } from '@shapecast/trading/lab/lab-files'
import { type Command, Option } from 'commander'
import { botIdOf, decimal, namesOf, versionOf, wholeNumber } from './arguments.ts'
import { progressOf, table } from './output.ts'
import { MACHINE, originLines, ruleNamed } from './rule-file.ts'
import { addTableOptions, printResult, type TableOptions } from './table-output.ts'
import { type OpenedParts, withParts } from './with-parts.ts'

interface BatchOptions extends TableOptions {
  rule?: string
  bot?: string
  model?: string
  [parameter: string]: unknown
}

const D = BACKTEST_DEFAULTS

export const addBatch = (command: Command): void => {
  addTableOptions(command, 'its runs')
    .option(
      '--rule <file>',
      'a rule: a text or JSON file, the text itself, or a stored one as NAME or NAME@2; --model says whose forecast it looks at',
    )
    .addOption(new Option('--bot <id>', 'a bot, with its own settings').argParser(botIdOf).conflicts(['model', 'rule']))
    .addOption(new Option('--model <version>', 'a model alone').argParser(versionOf))
    .requiredOption('--symbols <symbols>', 'such as BTCUSDT,ETHUSDT', namesOf)
    .option('--timeframes <timeframes>', 'such as 1h,4h', namesOf, [D.timeframe])
    .option('--limit <candles>', 'of each series, the newest so many', wholeNumber, LAB_CANDLES)
    .option('--kept-pct <percent>', 'of the candles, which stay unseen', decimal, 20)
    .addOption(new Option('--market-type <type>', 'what a rule trades').choices(['spot', 'futures']).default('spot'))
    .option('--fee-rate <ratio>', 'of the notional, on each fill', decimal, D.feeRate)
    .option('--slippage-bps <bps>', 'moved against us on each fill', decimal, D.slippageBps)
    .action(async (options: BatchOptions, command: Command) => {
      if (options.rule === undefined && options.model === undefined && options.bot === undefined)
        command.error('error: name what to run: --rule FILE, --model VERSION or --bot ID')
      const { result, origin } = await withParts((parts, signal) => batch(parts, options, signal))
      printResult(options, {
        json: () =>
          JSON.stringify({ ruleOrigin: origin, ...result }, (key, value) => (key === 'id' ? undefined : value), 2),
        columns: () => cellColumns(result.cells, origin),
        text: () => [...originLines(origin), textOfBatch(result)].join('\n'),
      })
    })
}

async function batch(parts: OpenedParts, options: BatchOptions, signal: AbortSignal) {
  const { rule, bot: botId, model, json: _json, csv: _csv, parquet: _parquet, ...rest } = options
  const bar = progressOf('batch')
  try {
    const read = BatchRequest.safeParse({
      ...rest,
      mode: botId !== undefined ? 'bot' : rule === undefined ? 'model' : 'rule',
      ...(rule !== undefined && (await ruleNamed(parts.rules(), rule))),
      botId,
      mlModelVersion: model,
    })
    if (!read.success) throw new AppError('bad_input', `${read.error.issues[0]!.message}.`)
    const orders = batchOrders(read.data, botId === undefined ? null : await parts.bots().bots.read(botId, MACHINE))
    const payload = { request: read.data, orders, venue: parts.market.venue }
    const opened = await batchWork(parts.backtest()).open({ userId: null, payload, createdAtMs: parts.now() }, signal)
    const made = await doAllParts(opened, {
      signal,
      report: ({ current, total }) => bar.show(current / total, `${current} of ${total} series`),
    })
    const ids = orders.map(() => '')
    return { result: batchResult(orders, made, ids, orders.length), origin: read.data.ruleOrigin }
  } finally {
    bar.end()
  }
}

const fixed = (value: number | null | undefined) => (value == null ? '-' : value.toFixed(2))
const within = (interval: readonly [number, number] | null | undefined) =>
  interval == null ? 'no interval' : `${fixed(interval[0])} to ${fixed(interval[1])}`

/** The verdict, then a line a series. */
export function textOfBatch({ cells, verdict, tries, equalRisk = [] }: BatchResult): string {
  const { code, clear, runs, best, luckSharpe, p } = verdict
  const winner = best === null ? undefined : cells[best]
  const rows = cells.flatMap(({ symbol, timeframe, run }) =>
    run === null
      ? []
      : [
          [
            `${symbol} ${timeframe}`,
            fixed(run.intervals.sharpe?.value ?? run.metrics.sharpeLike),
            within(run.intervals.sharpe?.interval),
            fixed(run.sharpeOverHolding),
            `${fixed(run.metrics.totalReturnPct)}%`,
            `${fixed(run.metrics.buyAndHoldReturnPct)}%`,
            String(run.metrics.trades),
          ],
        ],
  )
  return [
    winner?.run == null
      ? 'No run traded: nothing to compare.'
      : `${clear} of ${runs} gain beyond chance alone. Over holding as much, ${winner.symbol} ${winner.timeframe} is the best: a Sharpe ratio of ${fixed(winner.run.sharpeOverHolding)}. The best of ${tries} tries without any skill shows about ${fixed(luckSharpe)} (p = ${p!.toFixed(3)}): ${code === 'better_than_luck' ? 'more than luck gives' : 'what luck gives'}.`,
    ...equalRisk.map(
      ({ timeframe, runs, figures, holdFigures }) =>
        `${runs} series of ${timeframe} at equal risk: Sharpe ratio ${fixed(figures.sharpe)} (${within(figures.interval)}), holding ${fixed(holdFigures.sharpe)}.`,
    ),
    table([['series', 'Sharpe', '95% interval', 'over holding', 'return', 'holding', 'trades'], ...rows]),
    ...cells.flatMap(({ symbol, timeframe, missing }) =>
      missing === null ? [] : [`${symbol} ${timeframe}: ${missing.text}`],
    ),
  ].join('\n')
}
