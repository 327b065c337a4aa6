import { networkLabel } from '@shapecast/contracts/networks'
import type { TrainingJob } from '@shapecast/contracts/trainings'
import { timeLeft } from '#kit/format/time.ts'

/** What a training is at, by the name that the service gives it. */
const PHASES: Readonly<Record<string, string>> = {
  queued: 'Waiting for a worker',
  'loading candles': 'Loading the candles',
  features: 'Preparing the features',
  volatility: 'Fitting the volatility',
  logistic: 'Fitting the direction',
  networks: 'Networks',
  calibration: 'Calibrating',
  evaluation: 'Judging it on the hold-out',
  packing: 'Packing',
  comparing: 'Comparing it with the one before',
}

/** What stands before the name of a network in a phase of one. */
const NETWORK = /^networks: /

/** Where a running training is: phase, epoch, and the time left. */
export function progressWords({ phase, epoch, secondsLeft }: TrainingJob['progress']): string {
  const at = phase === '' ? 'Running' : (PHASES[phase] ?? networkLabel(phase.replace(NETWORK, '')))
  const round = epoch === null || !phase.startsWith('networks') ? '' : `, epoch ${epoch}`
  return `${at}${round}${timeLeft(secondsLeft)}`
}
