import type { WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { formatCounted, formatRatio, formatSigned } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'

const SETTLED_SHARE = 0.34

type Judged = Pick<
  WalkForwardResult,
  'efficiency' | 'changes' | 'folds' | 'metrics' | 'intervals' | 'inSampleSharpe' | 'outOfSampleSharpe' | 'parameters'
>

/** What a walk says: in a title, and in sentences below it. */
export function walkWords(result: Judged): { title: string; sentences: string[]; isLuck: boolean; next: string } {
  const { efficiency, changes, folds, metrics, intervals, inSampleSharpe, outOfSampleSharpe } = result
  const settled = changes <= SETTLED_SHARE * (folds.length - 1)
  const left =
    efficiency === null
      ? 'Training promised nothing'
      : efficiency <= 0
        ? 'Nothing of the promise was left'
        : `${Math.round(100 * efficiency)}% of the promise was left`
  const interval = intervals.totalReturnPct
  const chance =
    interval === null
      ? 'There are too few trades for an interval.'
      : interval[0] <= 0 && interval[1] >= 0
        ? 'The interval contains 0: it may be luck.'
        : interval[0] > 0
          ? 'The interval lies above 0.'
          : 'The interval lies below 0: it lost beyond chance.'
  const isLuck = efficiency === null || efficiency < 0.5 || interval === null || interval[0] <= 0
  return {
    title: `${left}, and the settings ${settled ? 'held still' : 'never settled'}`,
    sentences: [
      `Chosen before each of ${folds.length} stretches, the settings made ${formatChangePct(metrics.totalReturnPct)}; holding made ${formatChangePct(metrics.buyAndHoldReturnPct)}. ${chance}`,
      `In training the chosen settings had a mean Sharpe ratio of ${formatRatio(inSampleSharpe)}, on the stretch that followed ${formatRatio(outOfSampleSharpe)}. They changed in ${formatCounted(changes, 'fold')} of ${folds.length - 1}.`,
    ],
    isLuck,
    next: isLuck
      ? 'What next: do not choose settings anew this way. Fewer parameters or longer training may hold still; each new walk counts as a try.'
      : 'What next: a virtual bot, and wait for what comes. One walk is one history.',
  }
}

/** `95% interval −20.1 to +46.6%`. */
export const intervalLine = ({ totalReturnPct }: Pick<WalkForwardResult['intervals'], 'totalReturnPct'>): string =>
  totalReturnPct === null
    ? 'no interval: too few trades'
    : `95% interval ${formatSigned(totalReturnPct[0], 1)} to ${formatSigned(totalReturnPct[1], 1)}%`
