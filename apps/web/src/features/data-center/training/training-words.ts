import type { TrainingJob } from '@shapecast/contracts/ml'
import { formatFixed } from '../../../shared/format/number.ts'
import { formatDuration } from '../../../shared/format/time.ts'
import { progressPct } from '../../../shared/ui/progress-pct.ts'

type Job = Pick<TrainingJob, 'status' | 'progress' | 'error'>

export const isUnderWay = ({ status }: Pick<TrainingJob, 'status'>): boolean =>
  status === 'queued' || status === 'running'

/** Where a training is, as a sentence: phase, epoch, and the time left. */
export function trainingWords({ status, progress, error }: Job): string {
  switch (status) {
    case 'queued':
      return 'Queued…'
    case 'running': {
      const epoch = progress.epoch === null ? '' : `, epoch ${progress.epoch}`
      const left =
        progress.secondsLeft === null
          ? ''
          : `, about ${formatDuration(Math.max(10_000, progress.secondsLeft * 1000))} left`
      return `${progress.phase === '' ? 'Running' : progress.phase}${epoch}${left}`
    }
    case 'completed':
      return 'Completed'
    case 'failed':
      return error ?? 'Failed'
    case 'cancelled':
      return 'Cancelled'
    default:
      return status satisfies never
  }
}

/** Both losses of the last epoch; null before the first. */
export const lossWords = ({ trainLoss, validationLoss }: TrainingJob['progress']): string | null =>
  trainLoss === null || validationLoss === null
    ? null
    : `Loss ${formatFixed(trainLoss, 4)} · validation ${formatFixed(validationLoss, 4)}`

/** Percent done; a running job is never quite done. */
export const trainingPct = ({ status, progress }: Job): number =>
  status === 'completed' ? 100 : Math.min(99, progressPct(progress.current, progress.total))

/** Those under way, then the newest others, `most` in all. */
export function shownJobs<J extends Pick<TrainingJob, 'status' | 'createdAt'>>(jobs: readonly J[], most: number): J[] {
  const newestFirst = [...jobs].sort((a, b) => b.createdAt - a.createdAt)
  const underWay = newestFirst.filter(isUnderWay)
  return [...underWay, ...newestFirst.filter((job) => !isUnderWay(job)).slice(0, Math.max(0, most - underWay.length))]
}
