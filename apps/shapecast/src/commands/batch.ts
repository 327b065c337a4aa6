import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { BatchRequest, type BatchResult } from '@shapecast/contracts/batch'
import { doAllParts } from '@shapecast/trading/ground/jobs/parted-work'
import { batchOrders } from '@shapecast/trading/lab/batch-service'
import { batchResult, batchWork } from '@shapecast/trading/lab/batch-work'
import { cellColumns } from '@shapecast/trading/lab/lab-files'
import type { Command } from 'commander'
import { namesOf, requestOf } from './arguments.ts'
import { addOptions, bot, costs, keptPct, limit, marketType, model, rule } from './options.ts'
import { fixed, table } from './output.ts'
import { MACHINE, originLines, ruleNamed } from './rule-file.ts'
import { addTableOptions, printResult, type TableOptions } from './table-output.ts'
import { withProgress } from './with-parts.ts'

interface BatchOptions extends TableOptions {
  rule?: string
  bot?: string
  model?: string
  [parameter: string]: unknown
}

export const addBatch = (command: Command): void => {
  addOptions(addTableOptions(command, 'its runs'), [
    rule('a rule'),
    bot('a bot, with its own settings'),
    model('a model alone'),
    limit(),
    keptPct(20),
    marketType(),
    ...costs(),
  ])
    .requiredOption('--symbols <symbols>', 'such as BTCUSDT,ETHUSDT', namesOf)
    .option('--timeframes <timeframes>', 'such as 1h,4h', namesOf, [BACKTEST_DEFAULTS.timeframe])
    .action(async (options: BatchOptions, command: Command) => {
      if (options.rule === undefined && options.model === undefined && options.bot === undefined)
        command.error('error: name what to run: --rule FILE, --model VERSION or --bot ID')
      const { result, origin } = await batch(options)
      printResult(options, {
        json: () =>
          JSON.stringify({ ruleOrigin: origin, ...result }, (key, value) => (key === 'id' ? undefined : value), 2),
        columns: () => cellColumns(result.cells, origin),
        text: () => [...originLines(origin), textOfBatch(result)].join('\n'),
      })
    })
}

const batch = (options: BatchOptions) =>
  withProgress('batch', async (parts, signal, bar) => {
    const { bot: botId, model: mlModelVersion, rule: given } = options
    const request = requestOf(BatchRequest, {
      ...options,
      mode: botId !== undefined ? 'bot' : given === undefined ? 'model' : 'rule',
      ...(given !== undefined && (await ruleNamed(parts.rules(), given))),
      botId,
      mlModelVersion,
    })
    const orders = batchOrders(request, botId === undefined ? null : await parts.bots().bots.read(botId, MACHINE))
    const payload = { request, orders, venue: parts.market.venue }
    const opened = await batchWork(parts.backtest()).open({ userId: null, payload, createdAtMs: parts.now() }, signal)
    const made = await doAllParts(opened, {
      signal,
      report: ({ current, total }) => bar.show(current / total, `${current} of ${total} series`),
    })
    const ids = orders.map(() => '')
    return { result: batchResult(orders, made, ids, orders.length), origin: request.ruleOrigin }
  })

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
