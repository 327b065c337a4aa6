import type { BacktestRun } from '@shapecast/contracts/backtest'
import { formatCounted } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDay } from '#kit/format/time.ts'
import { cautionOf, chanceSentence } from './uncertainty-words.ts'

export interface UnseenVerdict {
  /** On an amber chip; null where the result is some evidence. */
  readonly caution: string | null
  readonly text: string
}

type JudgedRun = Pick<BacktestRun, 'verdict' | 'seen' | 'seenRatio'> & { meta: Pick<BacktestRun['meta'], 'haltedAt'> }

/** What the part that no model has seen says; null where there is none. */
export function unseenVerdict({ verdict, seen, seenRatio, meta }: JudgedRun): UnseenVerdict | null {
  const part = seen.unseen
  if (verdict === null || part === null) return null
  if (verdict === 'halted_before')
    return {
      caution: 'too few trades to tell',
      text:
        `The drawdown limit ended it on ${formatDay(meta.haltedAt)}; 0 of ${formatCounted(part.candles, 'unseen candle')} ` +
        'were traded. Choose a smaller size, or turn on ‘Unseen candles only’, and run again.',
    }
  const { intervals } = part
  if (verdict === 'no_intervals' || intervals === undefined)
    return { caution: null, text: 'This run is from before intervals were worked out as they are now. Run it again.' }
  const name = seenRatio > 0 ? 'The unseen return' : 'The return'
  const figure = `${name} of ${formatChangePct(part.metrics.totalReturnPct)}`
  return { caution: cautionOf(intervals), text: chanceSentence(figure, intervals) }
}
