import { Button } from '@mui/material'
import type { BacktestJob } from '@shapecast/contracts/backtest'
import { busyButton } from '#kit/ui/busy-button.ts'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { hasEnded, progressOfJob } from './job-progress.ts'

export interface JobStatusProps {
  job: BacktestJob | undefined
  isStarting: boolean
  isRunning: boolean
  isCancelling: boolean
  /** How long a completed job ran, ms; null where that is not known. */
  tookMs: number | null
  onCancel: () => void
}

/** Where the job is, in words and percent, and a way to stop it. Nothing where there is no job. */
export function JobStatus({ job, isStarting, isRunning, isCancelling, tookMs, onCancel }: JobStatusProps) {
  if (job === undefined && !isStarting && !isRunning) return null
  const { text, pct } = job === undefined ? { text: 'Queued…', pct: 0 } : progressOfJob(job, tookMs)
  return (
    <div>
      <ProgressBar words={text} pct={pct} />
      {job !== undefined && !hasEnded(job.status) && (
        <Button
          variant="text"
          size="small"
          style={{ marginTop: 4, marginLeft: -10 }}
          {...busyButton(isCancelling, onCancel)}
        >
          {isCancelling ? 'Cancelling…' : 'Cancel'}
        </Button>
      )}
    </div>
  )
}
