import { BACKTEST_DEFAULTS, BacktestRequest, type Metrics } from '@shapecast/contracts/backtest'
import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { backtestBot } from '@shapecast/trading/features/backtest/backtest-bot'
import { orderOf } from '@shapecast/trading/features/backtest/backtest-order'
import type { FinishedRun } from '@shapecast/trading/features/backtest/run-store'
import { type Command, Option } from 'commander'
import type { Installation } from '../installation.ts'
import { openRooms } from '../services.ts'
import { botIdOf, decimal, symbolOf, timeOf, versionOf, wholeNumber } from './arguments.ts'
import { withInstallation } from './open.ts'
import { print, progressOf, table } from './output.ts'

interface BacktestOptions {
  bot?: string
  model?: string
  json?: true
  [parameter: string]: unknown
}

const D = BACKTEST_DEFAULTS

export const addBacktest = (command: Command): void => {
  command
    .addOption(new Option('--bot <id>', 'the bot to test, with its own settings').argParser(botIdOf).conflicts('model'))
    .addOption(new Option('--model <version>', 'the model to test alone').argParser(versionOf))
    .option('--symbol <symbol>', "the market (a bot's first trading pair)", symbolOf)
    .addOption(new Option('--timeframe <timeframe>', 'how long one candle is').choices(TIMEFRAMES).default(D.timeframe))
    .option('--limit <candles>', 'the newest so many candles, or the last ones up to --to', wholeNumber, D.limit)
    .option('--from <time>', 'from this time on, such as 2024-01-31', timeOf)
    .option('--to <time>', 'up to this time', timeOf)
    .option('--fee-rate <ratio>', 'of the notional, on each fill', decimal, D.feeRate)
    .option('--slippage-bps <bps>', 'moved against us on each fill', decimal, D.slippageBps)
    .option('--same-bar-reentry', 'may enter on a candle on which a stop closed a position')
    .option('--position-size <base>', 'of a model tested alone', decimal, D.positionSize)
    .option('--initial-balance <quote>', 'of a model tested alone', decimal, D.initialBalance)
    .option('--leverage <times>', 'of a model tested alone', wholeNumber, D.leverage)
    .option('--max-drawdown <percent>', 'of a model tested alone', decimal, D.maxDrawdown)
    .option('--json', 'print the whole run as JSON')
    .action(async (options: BacktestOptions, command: Command) => {
      if (options.bot === undefined && options.model === undefined)
        command.error('error: name what to test: --bot ID or --model VERSION')
      const run = await withInstallation((installation, signal) => backtest(installation, options, signal))
      print(options.json ? JSON.stringify({ ...run.summary, ...run.detail }, null, 2) : textOf(run))
    })
}

async function backtest(installation: Installation, options: BacktestOptions, signal: AbortSignal) {
  const { bot: botId, model, json: _json, sameBarReentry, ...parameters } = options
  const request = BacktestRequest.parse({
    ...parameters,
    mode: botId === undefined ? 'model' : 'bot',
    botId,
    mlModelVersion: model,
    noSameBarReentry: sameBarReentry !== true,
  })
  const rooms = await openRooms(installation)
  // Whoever has the machine may see every bot.
  const everybody = { userId: '00000000-0000-0000-0000-000000000000', role: 'admin' } as const
  const bot = botId === undefined ? null : await rooms.bots.read(botId, everybody)
  const bar = progressOf('backtest')
  try {
    return await backtestBot(rooms.backtest, orderOf(request, bot), {
      signal,
      onProgress: (current, total) => bar.show(current / Math.max(1, total), `${current} of ${total} candles`),
    })
  } finally {
    bar.end()
    await rooms.close()
  }
}

const figure = (value: number | null, digits = 2, unit = '') =>
  value === null ? '—' : `${value.toFixed(digits)}${unit}`
const signed = (value: number, digits = 2, unit = '') => `${value > 0 ? '+' : ''}${value.toFixed(digits)}${unit}`
const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const metricRows: [string, (m: Metrics) => string][] = [
  ['Trades', (m) => String(m.trades)],
  ['Win rate', (m) => figure(m.winRate, 1, '%')],
  ['Profit factor', (m) => figure(m.profitFactor)],
  ['Total return', (m) => signed(m.totalReturnPct, 2, '%')],
  ['Buy and hold', (m) => signed(m.buyAndHoldReturnPct, 2, '%')],
  ['Max drawdown', (m) => figure(m.maxDrawdownPct, 2, '%')],
  ['Sharpe-like', (m) => figure(m.sharpeLike)],
  ['Average trade', (m) => figure(m.avgTradePnL, 4)],
  ['Gross PnL', (m) => signed(m.grossPnL, 4)],
  ['Fees', (m) => figure(m.fees, 4)],
  ['Slippage', (m) => figure(m.slippageCost, 4)],
  ['Funding', (m) => figure(m.funding, 4)],
  ['Net PnL', (m) => signed(m.netPnL, 4)],
]

function textOf({ summary, detail }: FinishedRun): string {
  const { symbol, timeframe, venue, market, params } = summary
  const parts: [string, Metrics][] = [['whole range', summary.metrics]]
  if (detail.seen.unseen !== null && summary.seenRatio > 0) parts.push(['unseen part', detail.seen.unseen.metrics])
  const rows = [
    ['', ...parts.map(([name]) => name)],
    ...metricRows.map(([name, show]) => [name, ...parts.map(([, metrics]) => show(metrics))]),
  ]
  const kind = market === 'simulated' ? ', SIMULATED prices' : market === 'replay' ? ', imported history' : ''
  const lines = [
    `${params.botName} on ${symbol} ${timeframe} of ${venue}${kind}`,
    `${summary.candles} candles from ${time(summary.startTime)} to ${time(summary.endTime)}`,
    `balance ${summary.initialBalance} → ${summary.finalBalance.toFixed(2)}`,
    '',
    table(rows),
  ]
  if (summary.seenRatio > 0)
    lines.push(
      '',
      `The models have learnt from ${(100 * summary.seenRatio).toFixed(1)}% of this range: judge by the unseen part.`,
    )
  const { unseen } = detail.seen
  const { haltedAt } = detail.meta
  if (unseen !== null && haltedAt !== null && haltedAt < unseen.from)
    lines.push(
      `The drawdown limit halted it before the unseen part began, which so says nothing. Test that part by itself: --limit ${unseen.candles}${unseen.to === summary.endTime ? '' : ` --to ${new Date(unseen.to).toISOString()}`}`,
    )
  if (detail.meta.gaps.count > 0)
    lines.push(`Gaps: ${detail.meta.gaps.count}, with ${detail.meta.gaps.missingCandles} candles missing.`)
  for (const { reason, count } of detail.meta.skippedOrders) lines.push(`Orders skipped: ${count} (${reason}).`)
  if (detail.meta.haltedAt !== null) lines.push(`Halted by the drawdown limit at ${time(detail.meta.haltedAt)}.`)
  if (detail.openPosition !== null)
    lines.push(`A ${detail.openPosition.side} of ${detail.openPosition.quantity} is still open at the end.`)
  lines.push(`Result hash ${detail.meta.hashes.result}`)
  return lines.join('\n')
}
