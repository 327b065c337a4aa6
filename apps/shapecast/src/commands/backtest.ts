import { BACKTEST_DEFAULTS, BacktestRequest } from '@shapecast/contracts/backtest-request'
import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { judgedReturn } from '@shapecast/engine/verdicts/run-verdict'
import { backtestBot } from '@shapecast/trading/backtests/backtest-bot'
import { orderOf } from '@shapecast/trading/backtests/backtest-order'
import { type Command, Option } from 'commander'
import { botIdOf, decimal, symbolOf, timeOf, versionOf, wholeNumber } from './arguments.ts'
import { textOfRun } from './backtest-text.ts'
import { print, progressOf } from './output.ts'
import { MACHINE, ruleNamed } from './rule-file.ts'
import { type OpenedParts, withParts } from './with-parts.ts'

interface BacktestOptions {
  bot?: string
  model?: string
  rule?: string
  json?: true
  [parameter: string]: unknown
}

const D = BACKTEST_DEFAULTS

export const addBacktest = (command: Command): void => {
  command
    .addOption(
      new Option('--bot <id>', 'the bot to test, with its own settings')
        .argParser(botIdOf)
        .conflicts(['model', 'rule']),
    )
    .addOption(new Option('--model <version>', 'the model to test alone').argParser(versionOf))
    .option(
      '--rule <file>',
      'a rule to test alone: a text or JSON file, the text itself, or a stored one as NAME or NAME@2; --model says whose forecast it looks at',
    )
    .addOption(new Option('--market-type <type>', 'what a rule trades').choices(['spot', 'futures']).default('spot'))
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
      if (options.bot === undefined && options.model === undefined && options.rule === undefined)
        command.error('error: name what to test: --bot ID, --model VERSION or --rule FILE')
      const run = await withParts((parts, signal) => backtest(parts, options, signal))
      print(
        options.json
          ? JSON.stringify({ ...run.summary, judged: judgedReturn(run.summary), ...run.detail }, null, 2)
          : textOfRun(run),
      )
    })
}

async function backtest(parts: OpenedParts, options: BacktestOptions, signal: AbortSignal) {
  const { bot: botId, model, rule, json: _json, sameBarReentry, ...parameters } = options
  const alone = rule === undefined ? 'model' : 'rule'
  const bar = progressOf('backtest')
  try {
    const request = BacktestRequest.parse({
      ...parameters,
      mode: botId === undefined ? alone : 'bot',
      ...(rule !== undefined && (await ruleNamed(parts.rules(), rule))),
      botId,
      mlModelVersion: model,
      noSameBarReentry: sameBarReentry !== true,
    })
    const bot = botId === undefined ? null : await parts.bots().bots.read(botId, MACHINE)
    return await backtestBot(parts.backtest(), orderOf(request, bot), {
      signal,
      onProgress: (current, total) => bar.show(current / Math.max(1, total), `${current} of ${total} candles`),
    })
  } finally {
    bar.end()
  }
}
