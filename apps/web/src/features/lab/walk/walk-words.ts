import type { WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { directionWords, ruleWords } from '#entities/models/direction-verdict.ts'
import { shareWords } from '#entities/models/interval-words.ts'
import { formatCounted, formatRatio, formatSigned } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatio } from '#kit/format/percent.ts'

type Retrained = NonNullable<WalkForwardResult['retrained']>

const SETTLED_SHARE = 0.34

/** Whether few folds chose other settings than the one before. */
export const holdStill = ({ changes, folds }: Pick<WalkForwardResult, 'changes' | 'folds'>): boolean =>
  changes <= SETTLED_SHARE * (folds.length - 1)

type Judged = Pick<
  WalkForwardResult,
  'efficiency' | 'changes' | 'folds' | 'metrics' | 'intervals' | 'inSampleSharpe' | 'outOfSampleSharpe' | 'parameters'
>

const chanceWords = ({ totalReturnPct: interval }: Judged['intervals']): string => {
  if (interval === null) return 'There are too few trades for an interval.'
  if (interval[0] > 0) return 'The interval lies above 0.'
  return interval[1] < 0
    ? 'The interval lies below 0: it lost beyond chance.'
    : 'The interval contains 0: it may be luck.'
}

/** What a walk says whose model was trained again. */
export function calledWords({ folds, metrics, intervals }: Judged, { version, ahead, direction, single }: Retrained) {
  const { words } = directionWords(direction)
  const own = single.heldOut
  const luck =
    ahead.accuracy < own.interval[0]
      ? 'Less came true than its interval allows.'
      : ahead.accuracy > own.interval[1]
        ? 'More came true than its interval allows.'
        : 'What came true lies within its interval.'
  const gained = intervals.totalReturnPct !== null && intervals.totalReturnPct[0] > 0
  return {
    title:
      direction.code === 'not_judged'
        ? 'No direction could be judged'
        : direction.code === 'not_credible'
          ? `${formatShareRatio(ahead.accuracy)} of directions called right: too good to be believed`
          : `${formatShareRatio(ahead.accuracy)} of directions called right: ${words}`,
    sentences: [
      `Trained again before each of ${folds.length} stretches, ${version} was right in ${shareWords(ahead.accuracy, ahead.interval)} of ${formatCounted(ahead.outcomes, 'move')}; ${ruleWords(direction.rule)} was in ${formatShareRatio(direction.ruleRatio)}.`,
      `Its one training says ${shareWords(own.accuracy, own.interval)} of itself, on ${formatCounted(own.outcomes, 'move')}. ${luck}`,
      `Traded, it made ${formatChangePct(metrics.totalReturnPct)}; holding made ${formatChangePct(metrics.buyAndHoldReturnPct)}. ${chanceWords(intervals)}`,
    ],
    isLuck: !direction.holdsUp || !gained,
    next:
      direction.holdsUp && gained
        ? 'What next: a virtual bot that trains its model again as often, and wait for what comes. One walk is one history.'
        : 'What next: do not trade its direction by itself. Its fan may still size a position; each new walk counts as a try.',
  }
}

/** What a walk says: in a title, and in sentences below it. */
export function walkWords(result: Judged) {
  const { efficiency, changes, folds, metrics, intervals, inSampleSharpe, outOfSampleSharpe } = result
  const left =
    efficiency === null
      ? 'Training promised nothing'
      : efficiency <= 0
        ? 'Nothing of the promise was left'
        : `${Math.round(100 * efficiency)}% of the promise was left`
  const interval = intervals.totalReturnPct
  const isLuck = efficiency === null || efficiency < 0.5 || interval === null || interval[0] <= 0
  return {
    title: `${left}, and the settings ${holdStill(result) ? 'held still' : 'never settled'}`,
    sentences: [
      `Chosen before each of ${folds.length} stretches, the settings made ${formatChangePct(metrics.totalReturnPct)}; holding made ${formatChangePct(metrics.buyAndHoldReturnPct)}. ${chanceWords(intervals)}`,
      `In training the chosen settings had a mean Sharpe ratio of ${formatRatio(inSampleSharpe)}, on the stretch that followed ${formatRatio(outOfSampleSharpe)}. They changed in ${formatCounted(changes, 'fold')} of ${folds.length - 1}.`,
    ],
    isLuck,
    next: isLuck
      ? 'What next: do not choose settings this way again. Fewer parameters or longer training may hold still; each new walk counts as a try.'
      : 'What next: a virtual bot, and wait for what comes. One walk is one history.',
  }
}

/** `95% interval −20.1 to +46.6%`. */
export const intervalLine = ({ totalReturnPct }: Pick<WalkForwardResult['intervals'], 'totalReturnPct'>): string =>
  totalReturnPct === null
    ? 'no interval: too few trades'
    : `95% interval ${formatSigned(totalReturnPct[0], 1)} to ${formatSigned(totalReturnPct[1], 1)}%`

/** The interval of the ratio in words, and how long the history is. */
export function sureWords({ intervals: { sharpe, isTooNarrow, unit }, folds }: Judged): string {
  const days = Math.round((folds.at(-1)!.test.to - folds[0]!.test.from) / 86_400_000)
  const length = `${formatCounted(days, 'day')} tell only large differences.`
  if (sharpe === null) return `There are too few trades for an interval. ${length}`
  const narrow = isTooNarrow ? ' Its trades resemble each other, so the interval is too narrow.' : ''
  return `Sharpe ratio by ${unit} ${formatRatio(sharpe.value)}, 95% interval ${formatRatio(sharpe.interval[0])} to ${formatRatio(sharpe.interval[1])}; another figure than the mean of the folds, which is over holding as much.${narrow} ${length}`
}
