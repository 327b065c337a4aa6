import type { BacktestJob } from '@shapecast/contracts/backtest'
import { formatCount } from '#kit/format/number.ts'
import { formatDuration } from '#kit/format/time.ts'

export interface ProgressWords {
  readonly text: string
  /** Percent, 0–100, whole. */
  readonly pct: number
}

/** A job in words and percent. `tookMs` is how long a completed one ran, null where that is not known. */
export function progressOfJob(job: Pick<BacktestJob, 'status' | 'progress'>, tookMs: number | null): ProgressWords {
  const { current, total } = job.progress
  const pct = total > 0 ? Math.min(100, Math.floor((100 * current) / total)) : 0
  switch (job.status) {
    case 'queued':
      return { text: 'Queued…', pct: 0 }
    case 'running':
      return {
        text: total > 0 ? `Running, ${formatCount(current)} of ${formatCount(total)} candles` : 'Running…',
        pct: Math.min(99, pct),
      }
    case 'completed':
      return { text: tookMs === null ? 'Completed' : `Completed in ${formatDuration(tookMs)}`, pct: 100 }
    case 'failed':
      return { text: 'Failed', pct }
    case 'cancelled':
      return { text: 'Cancelled', pct }
    default:
      return job.status satisfies never
  }
}

export const hasEnded = (status: BacktestJob['status']): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'
