import type { RuleOrigin } from '@shapecast/contracts/bots'
import type { AccuracyReport } from '@shapecast/contracts/evaluation'
import { SEARCH_DEFAULTS, SearchedPolicy } from '@shapecast/contracts/search'
import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { WalkForwardRequest, type WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { doAllParts } from '@shapecast/trading/ground/jobs/parted-work'
import { foldColumns } from '@shapecast/trading/lab/lab-files'
import { walkOrder } from '@shapecast/trading/lab/walk-service'
import { openWalk } from '@shapecast/trading/lab/walk-work'
import { type Command, Option } from 'commander'
import { decimal, type NamedValues, symbolOf, timeOf, valuesOf, versionOf, wholeNumber } from './arguments.ts'
import { dateOf, progressOf } from './output.ts'
import { originLines, ruleNamed } from './rule-file.ts'
import { addTableOptions, printResult, type TableOptions } from './table-output.ts'
import { type OpenedParts, withParts } from './with-parts.ts'

interface WalkOptions extends TableOptions {
  rule?: string
  policy?: string
  model?: string
  param: readonly NamedValues[]
  train: number
  test: number
  anchored?: true
  retrain?: true
  [parameter: string]: unknown
}

export const addWalkForward = (command: Command): void => {
  addTableOptions(command, 'its folds')
    .option(
      '--rule <file>',
      'a rule whose numbers in braces are chosen, ema({fast}): a file, the text itself, or a stored one as NAME or NAME@2, whose numbers are called ema_20',
    )
    .addOption(new Option('--policy <name>', 'a policy whose risk is chosen').choices(SearchedPolicy.options))
    .addOption(
      new Option('--param <name=values>', "what is chosen among, such as 'fast=4 to 40 by 4'; once for each")
        .argParser(valuesOf)
        .default([], 'none'),
    )
    .addOption(new Option('--model <version>', 'whose forecast a rule looks at').argParser(versionOf))
    .requiredOption('--symbol <symbol>', 'the market', symbolOf)
    .addOption(new Option('--timeframe <timeframe>', 'how long one candle is').choices(TIMEFRAMES).default('4h'))
    .option('--limit <candles>', 'the newest so many candles', wholeNumber, LAB_CANDLES)
    .option('--from <time>', 'from this time on, such as 2024-01-31', timeOf)
    .option('--to <time>', 'up to this time', timeOf)
    .option('--train <candles>', 'settings are chosen on so many candles', wholeNumber, 2200)
    .option('--test <candles>', 'and trade the next so many', wholeNumber, 900)
    .option('--anchored', 'choose on all candles so far')
    .option('--retrain', 'train the model that the rule asks again before each stretch, on the candles before it alone')
    .option(
      '--kept-pct <percent>',
      'the last part of the candles, which stays unseen',
      decimal,
      SEARCH_DEFAULTS.keptPct,
    )
    .action(async (options: WalkOptions, command: Command) => {
      if ((options.rule === undefined) === (options.policy === undefined))
        command.error('error: name what to walk: --rule FILE or --policy NAME')
      const result = await withParts((parts, signal) => walk(parts, options, signal))
      printResult(options, {
        json: () => JSON.stringify(result, null, 2),
        columns: () => foldColumns(result, result.ruleOrigin),
        text: () => textOfWalk(result),
      })
    })
}

/** The result, with the stored rule's name. */
type Walked = WalkForwardResult & { ruleOrigin?: RuleOrigin }

async function walk(parts: OpenedParts, options: WalkOptions, signal: AbortSignal): Promise<Walked> {
  const {
    rule,
    policy,
    model,
    param,
    train,
    test,
    anchored,
    retrain,
    json: _json,
    csv: _csv,
    parquet: _parquet,
    ...search
  } = options
  const bar = progressOf('walk-forward')
  try {
    const request = WalkForwardRequest.parse({
      search: {
        ...search,
        ...(rule === undefined
          ? { kind: 'policy', policy }
          : { kind: 'rule', ...(await ruleNamed(parts.rules(), rule, param)) }),
        mlModelVersion: model,
        parameters: param.length === 0 && policy !== undefined ? [{ name: 'riskPct', values: [20, 40, 60] }] : param,
      },
      train,
      test,
      anchored: anchored === true,
      retrain: retrain === true,
    })
    const order = await walkOrder(parts.lab().deps, request)
    const result = await doAllParts(await openWalk(parts.backtest(), order, signal), {
      signal,
      report: ({ current, total, leftS }) => {
        const left = leftS == null ? '' : `, about ${Math.ceil(leftS / 60)} min left`
        bar.show(current / Math.max(1, total), `fold ${current + 1} of ${total}${left}`)
      },
    })
    const { ruleOrigin } = request.search
    return { ...(ruleOrigin && { ruleOrigin }), ...result }
  } finally {
    bar.end()
  }
}

const fixed = (value: number | null | undefined) => (value == null ? '-' : value.toFixed(2))

const rightOf = ({ accuracy, interval: [low, high], outcomes }: AccuracyReport) =>
  outcomes === 0
    ? 'nothing to judge'
    : `${(100 * accuracy).toFixed(1)}% [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`

function promiseOf({ folds, efficiency, inSampleSharpe, outOfSampleSharpe, changes }: WalkForwardResult): string {
  const left =
    efficiency === null ? '' : efficiency <= 0 ? ': nothing was left' : `: ${Math.round(100 * efficiency)}% was left`
  return `Mean Sharpe ratio ${fixed(outOfSampleSharpe)} of ${fixed(inSampleSharpe)} promised${left}; other settings in ${changes} of ${folds.length - 1} folds`
}

const calledOf = ({ version, ahead, single }: NonNullable<WalkForwardResult['retrained']>) =>
  `Directions called right: ${rightOf(ahead)} of ${ahead.outcomes}, ${ahead.verdict}; one training of ${version} says ${rightOf(single.heldOut)} of itself. Always the majority ${(100 * ahead.majorityBaseline).toFixed(1)}%, always a reversal ${(100 * ahead.reversalBaseline).toFixed(1)}%`

/** The folds, a line each, and what they came to together. */
export function textOfWalk(result: Walked): string {
  const { folds, metrics, intervals, kept, retrained } = result
  const lines = folds.map(({ test, values, inSample, outOfSample, model }, k) => {
    const traded = `return ${fixed(outOfSample.netReturnPct)}% (holding ${fixed(outOfSample.holdPct)}%), ${outOfSample.trades} trades`
    const stretch = `${k + 1}. ${dateOf(test.from)} to ${dateOf(test.to)}`
    if (model !== undefined)
      return `${stretch}: ${rightOf(model.ahead)} right, ${rightOf(model.heldOut)} held out by its training; Sharpe ratio ${fixed(outOfSample.sharpe)}; ${traded}`
    const chosen =
      values === null
        ? 'as before'
        : Object.entries(values)
            .map(([name, value]) => `${name} ${value}`)
            .join(', ')
    return `${stretch}: ${chosen}; Sharpe ratio promised ${fixed(inSample?.sharpe)}, came ${fixed(outOfSample.sharpe)}; ${traded}`
  })
  const interval = intervals.totalReturnPct
  return [
    ...originLines(result.ruleOrigin),
    ...lines,
    `Together: return ${fixed(metrics.totalReturnPct)}% (holding ${fixed(metrics.buyAndHoldReturnPct)}%), worst drawdown ${fixed(metrics.maxDrawdownPct)}%, ${metrics.trades} trades`,
    interval === null
      ? 'No interval: too few trades to tell'
      : `95% interval of the return ${fixed(interval[0])} to ${fixed(interval[1])}%${interval[0] <= 0 && interval[1] >= 0 ? ': may be luck' : ''}`,
    retrained === undefined ? promiseOf(result) : calledOf(retrained),
    ...(kept === null ? [] : [`${kept.candles} candles from ${dateOf(kept.from)} on stay unseen`]),
  ].join('\n')
}
