import type { TrainingOutcome } from '@shapecast/contracts/training-outcome'
import type { TrainingJob } from '@shapecast/contracts/trainings'
import { progressWords } from '#entities/trainings/progress-words.ts'
import { formatFixed } from '#kit/format/number.ts'
import { progressPct } from '#kit/ui/progress-bar.tsx'
import { isUnderWay } from '#wire/calls/use-endpoint.ts'

type Job = Pick<TrainingJob, 'status' | 'progress' | 'error'>

/** `v3 on BTCUSDT 1h` */
export const trainingName = ({
  version,
  symbol,
  timeframe,
}: Pick<TrainingJob, 'version' | 'symbol' | 'timeframe'>): string => `${version} on ${symbol} ${timeframe}`

/** Where a training is, as a sentence: phase, epoch, and the time left. */
export const trainingWords = ({ status, progress, error }: Job): string =>
  ({
    queued: 'Queued…',
    running: progressWords(progress),
    completed: 'Trained',
    failed: error ?? 'Failed',
    cancelled: 'Cancelled',
  })[status]

/**
 * What came of a completed training's artifact, in a clause; and what to say where that has changed since. On a market that
 * does not run nothing predicts now.
 */
export function outcomeWords({ decision, predicts }: TrainingOutcome, isElsewhere = false): string {
  if (isElsewhere && predicts) return 'it predicts when that market runs again'
  const [does, doesNot] = OUTCOMES[decision]
  return predicts ? does : doesNot
}

/** Of one that predicts now, and of one that does not. */
const OUTCOMES: Readonly<Record<TrainingOutcome['decision'], readonly [string, string]>> = {
  first: ['it predicts now', 'replaced by a newer one since'],
  took_over: ['it predicts now, in place of the one before', 'replaced by a newer one since'],
  old_stays: ['promoted by a manager: it predicts now', 'the one before it stays'],
  waits: ['promoted: it predicts now', "waits for the version's owner or a manager"],
}

/** Both losses of the last epoch; null before the first. Told while it runs. */
export const lossWords = ({ trainLoss, validationLoss }: TrainingJob['progress']): string | null =>
  trainLoss === null || validationLoss === null
    ? null
    : `Loss ${formatFixed(trainLoss, 4)} · validation ${formatFixed(validationLoss, 4)}`

/** Percent done; a running job is never quite done. */
export const trainingPct = ({ status, progress }: Job): number =>
  status === 'completed' ? 100 : Math.min(99, progressPct(progress.current, progress.total))

/** Those that run, those that wait in the order they are taken, then the newest others: `most` in all, or all under way. */
export function shownJobs<J extends Pick<TrainingJob, 'status' | 'createdAt'>>(jobs: readonly J[], most: number): J[] {
  const oldestFirst = jobs.toSorted((a, b) => a.createdAt - b.createdAt)
  const of = (status: TrainingJob['status']) => oldestFirst.filter((job) => job.status === status)
  const underWay = [...of('running'), ...of('queued')]
  const over = oldestFirst.filter((job) => !isUnderWay(job)).reverse()
  return [...underWay, ...over.slice(0, Math.max(0, most - underWay.length))]
}
