import type { RuleOrigin } from '@shapecast/contracts/bots'
import type { AccuracyReport } from '@shapecast/contracts/evaluation'
import { SEARCH_DEFAULTS, SearchedPolicy } from '@shapecast/contracts/search'
import { WalkForwardRequest, type WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { doAllParts } from '@shapecast/trading/ground/jobs/parted-work'
import { foldColumns } from '@shapecast/trading/lab/lab-files'
import { walkOrder } from '@shapecast/trading/lab/walk-service'
import { openWalk } from '@shapecast/trading/lab/walk-work'
import { type Command, Option } from 'commander'
import { type NamedValues, wholeNumber } from './arguments.ts'
import * as option from './options.ts'
import { dateOf, fixed } from './output.ts'
import { originLines, ruleNamed } from './rule-file.ts'
import { addTableOptions, printResult, type TableOptions } from './table-output.ts'
import { withProgress } from './with-parts.ts'

interface WalkOptions extends TableOptions {
  rule?: string
  policy?: string
  model?: string
  param: readonly NamedValues[]
  [parameter: string]: unknown
}

export const addWalkForward = (command: Command): void => {
  option
    .addOptions(addTableOptions(command, 'its folds'), [
      option.openRule('chosen'),
      new Option('--policy <name>', 'a policy whose risk is chosen').choices(SearchedPolicy.options),
      option.param(),
      option.model('whose forecast a rule looks at'),
      option.symbol(),
      option.timeframe('4h'),
      option.limit(),
      ...option.range(),
      option.keptPct(SEARCH_DEFAULTS.keptPct),
    ])
    .option('--train <candles>', 'settings are chosen on so many candles', wholeNumber, 2200)
    .option('--test <candles>', 'and trade the next so many', wholeNumber, 900)
    .option('--anchored', 'choose on all candles so far')
    .option('--retrain', 'train the model that the rule asks again before each stretch, on the candles before it alone')
    .action(async (options: WalkOptions, command: Command) => {
      if ((options.rule === undefined) === (options.policy === undefined))
        command.error('error: name what to walk: --rule FILE or --policy NAME')
      const result = await walk(options)
      printResult(options, {
        json: () => JSON.stringify(result, null, 2),
        columns: () => foldColumns(result, result.ruleOrigin),
        text: () => textOfWalk(result),
      })
    })
}

/** The result, with the stored rule's name. */
type Walked = WalkForwardResult & { ruleOrigin?: RuleOrigin }

const walk = (options: WalkOptions): Promise<Walked> =>
  withProgress('walk-forward', async (parts, signal, bar) => {
    const { rule, policy, param } = options
    const request = WalkForwardRequest.parse({
      ...options,
      search: {
        ...options,
        kind: rule === undefined ? 'policy' : 'rule',
        ...(rule !== undefined && (await ruleNamed(parts.rules(), rule, param))),
        mlModelVersion: options.model,
        parameters: param.length === 0 && policy !== undefined ? [{ name: 'riskPct', values: [20, 40, 60] }] : param,
      },
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
  })

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
