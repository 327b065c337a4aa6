import { formatDuration } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Card } from '#kit/ui/card.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { progressPct } from '#kit/ui/progress-pct.ts'
import { CancelJob } from '#wire/ui/cancel-job.tsx'
import type { LabJob } from './lab-job.ts'

/** A job of the lab until it is completed: how far it is, or why it came to nothing. */
export function JobCard({ job, what, unit }: { job: LabJob; what: string; unit: string }) {
  const { id, status, progress, error, title } = job
  if (status === 'failed' || status === 'cancelled')
    return (
      <Banner kind="error" title={status === 'failed' ? `The ${what} failed` : `The ${what} was cancelled`}>
        {error ?? 'It has no result; what it tried counts.'}
      </Banner>
    )
  const { current, total, leftS } = progress
  const left = leftS == null ? '' : `, about ${formatDuration(Math.max(10, leftS) * 1000)} left`
  return (
    <Card title={title} actions={<CancelJob id={id} job={what} />}>
      <ProgressBar
        words={
          status === 'queued'
            ? 'Queued…'
            : `Running, ${unit} ${Math.min(current + 1, Math.max(total, 1))} of ${total || '…'}${left}`
        }
        pct={progressPct(current, total)}
      />
    </Card>
  )
}
