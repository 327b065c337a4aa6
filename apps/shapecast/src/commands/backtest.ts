import { BACKTEST_DEFAULTS, BacktestRequest } from '@shapecast/contracts/backtest-request'
import { judgedReturn } from '@shapecast/engine/verdicts/run-verdict'
import { backtestBot } from '@shapecast/trading/backtests/backtest-bot'
import { orderOf } from '@shapecast/trading/backtests/backtest-order'
import { type Command, Option } from 'commander'
import { decimal, symbolOf, wholeNumber } from './arguments.ts'
import { textOfRun } from './backtest-text.ts'
import { addOptions, bot, costs, limit, marketType, model, range, rule, timeframe } from './options.ts'
import { printAs } from './output.ts'
import { MACHINE, ruleNamed } from './rule-file.ts'
import { withProgress } from './with-parts.ts'

interface BacktestOptions {
  bot?: string
  model?: string
  rule?: string
  json?: true
  [parameter: string]: unknown
}

const D = BACKTEST_DEFAULTS

export const addBacktest = (command: Command): void => {
  addOptions(command, [
    bot('the bot to test, with its own settings'),
    model('the model to test alone'),
    rule('a rule to test alone'),
    marketType(),
    new Option('--symbol <symbol>', "the market (a bot's first trading pair)").argParser(symbolOf),
    timeframe(D.timeframe),
    limit(D.limit),
    ...range(),
    ...costs(),
  ])
    .option('--same-bar-reentry', 'may enter on a candle on which a stop closed a position')
    .option('--position-size <base>', 'of a model tested alone', decimal, D.positionSize)
    .option('--initial-balance <quote>', 'of a model tested alone', decimal, D.initialBalance)
    .option('--leverage <times>', 'of a model tested alone', wholeNumber, D.leverage)
    .option('--max-drawdown <percent>', 'of a model tested alone', decimal, D.maxDrawdown)
    .option('--json', 'print the whole run as JSON')
    .action(async (options: BacktestOptions, command: Command) => {
      if (options.bot === undefined && options.model === undefined && options.rule === undefined)
        command.error('error: name what to test: --bot ID, --model VERSION or --rule FILE')
      const run = await backtest(options)
      const { summary, detail } = run
      printAs(options.json, { ...summary, judged: judgedReturn(summary), ...detail }, () => textOfRun(run))
    })
}

const backtest = (options: BacktestOptions) =>
  withProgress('backtest', async (parts, signal, bar) => {
    const { bot: botId, model: mlModelVersion, rule: given } = options
    const request = BacktestRequest.parse({
      ...options,
      mode: botId !== undefined ? 'bot' : given === undefined ? 'model' : 'rule',
      ...(given !== undefined && (await ruleNamed(parts.rules(), given))),
      botId,
      mlModelVersion,
      noSameBarReentry: options.sameBarReentry !== true,
    })
    const tested = botId === undefined ? null : await parts.bots().bots.read(botId, MACHINE)
    return backtestBot(parts.backtest(), orderOf(request, tested), {
      signal,
      onProgress: (current, total) => bar.show(current / Math.max(1, total), `${current} of ${total} candles`),
    })
  })
