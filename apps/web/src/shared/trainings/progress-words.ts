import type { TrainingJob } from '@shapecast/contracts/trainings'
import { formatDuration } from '../format/time.ts'

/** What a training is at, by the name that the service gives it. */
const PHASES: Readonly<Record<string, string>> = {
  queued: 'Waiting for a worker',
  'loading candles': 'Loading the candles',
  features: 'Preparing the features',
  volatility: 'Fitting the volatility',
  logistic: 'Fitting the direction',
  networks: 'Networks',
  'networks: lstm': 'LSTM',
  'networks: transformer': 'Transformer',
  calibration: 'Calibrating',
  evaluation: 'Judging it on the hold-out',
  packing: 'Packing',
  comparing: 'Comparing it with the one before',
}

/** Where a running training is: phase, epoch, and the time left. */
export function progressWords({ phase, epoch, secondsLeft }: TrainingJob['progress']): string {
  const at = phase === '' ? 'Running' : (PHASES[phase] ?? phase)
  const round = epoch === null || !phase.startsWith('networks') ? '' : `, epoch ${epoch}`
  const left = secondsLeft === null ? '' : `, about ${formatDuration(Math.max(10_000, secondsLeft * 1000))} left`
  return `${at}${round}${left}`
}
