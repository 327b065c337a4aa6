import type { BacktestJob, BacktestRun } from '@shapecast/contracts/backtest'
import { formatCount } from '#kit/format/number.ts'
import { formatDuration } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { hasEnded } from './start-backtest.ts'
import type { BacktestJobControl } from './use-backtest-job.ts'

/** Where the job is, in words and percent, and a way to stop it. Nothing where there is no job. */
export function JobStatus({
  control: { job, isStarting, isRunning, isCancelling, cancel },
  opened,
}: {
  control: BacktestJobControl
  /** The run that is open: with that of the job it is known how long it took. */
  opened: BacktestRun | undefined
}) {
  if (job === undefined && !isStarting && !isRunning) return null
  const tookMs =
    job !== undefined && job.runId === opened?._id ? Math.max(0, opened.params.createdAt - job.createdAt) : null
  const { text, pct } = job === undefined ? { text: 'Queued…', pct: 0 } : progressOfJob(job, tookMs)
  return (
    <div>
      <ProgressBar words={text} pct={pct} />
      {job !== undefined && !hasEnded(job.status) && (
        <Button
          variant="text"
          size="small"
          style={{ marginTop: 4, marginLeft: -10 }}
          {...busyButton(isCancelling, cancel)}
        >
          {isCancelling ? 'Cancelling…' : 'Cancel'}
        </Button>
      )}
    </div>
  )
}

interface ProgressWords {
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
