import type { BacktestRun } from '@shapecast/contracts/backtest'
import { formatCounted } from '../../../shared/format/number.ts'
import { formatChangePct } from '../../../shared/format/percent.ts'
import { formatDay } from '../../../shared/format/time.ts'
import { returnInterval } from './uncertainty-words.ts'

export interface UnseenVerdict {
  readonly isTooFew: boolean
  readonly text: string
}

type JudgedRun = Pick<BacktestRun, 'seen' | 'seenRatio'> & { meta: Pick<BacktestRun['meta'], 'haltedAt'> }

/** What the part that no model has seen says; null where there is none, or for runs from before it was worked out. */
export function unseenVerdict({ seen, seenRatio, meta }: JudgedRun): UnseenVerdict | null {
  const part = seen.unseen
  if (part === null) return null
  if (meta.haltedAt !== null && meta.haltedAt < part.from)
    return {
      isTooFew: true,
      text:
        `The drawdown limit ended it on ${formatDay(meta.haltedAt)}; 0 of ${formatCounted(part.candles, 'unseen candle')} ` +
        'were traded. Choose a smaller size, or turn on ‘Unseen candles only’, and run again.',
    }
  const { uncertainty } = part
  if (uncertainty?.totalReturnPct == null) return null
  const name = seenRatio > 0 ? 'The unseen return' : 'The return'
  const figure = `${name} of ${formatChangePct(part.metrics.totalReturnPct)} has a 95% interval of ${returnInterval(uncertainty)}`
  const [low, high] = uncertainty.totalReturnPct
  if (low <= 0 && high >= 0) return { isTooFew: true, text: `${figure}: it may be luck either way.` }
  if (uncertainty.tooFewToTell)
    return { isTooFew: true, text: `${figure}, but ${formatCounted(part.metrics.trades, 'trade')} are few.` }
  return { isTooFew: false, text: `${figure}.` }
}
