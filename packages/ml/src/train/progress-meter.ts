import { NetworkName } from '@shapecast/contracts/networks'

export type TrainPhase = 'features' | 'volatility' | 'logistic' | 'networks' | 'calibration' | 'evaluation' | 'packing'

/** How far a training is. `current` of `total` counts steps of work, most of them epochs of the networks. */
export interface TrainProgress {
  phase: TrainPhase
  current: number
  total: number
  /** The epoch that ended last, of any network; the losses are its. */
  epoch: number | null
  network: NetworkName | null
  trainLoss: number | null
  validationLoss: number | null
  /** An upper bound: every epoch is counted in, though training usually stops earlier. */
  secondsLeft: number | null
}

interface Epoch {
  epoch: number
  trainLoss: number
  validationLoss: number
}

export interface ProgressMeter {
  /** A phase begins. */
  begin(phase: TrainPhase): void
  /** An epoch of a network has ended. */
  epochEnded(network: NetworkName, report: Epoch): void
  /** A network has stopped, with or without all of its epochs. */
  networkEnded(network: NetworkName): void
}

const PHASES: readonly TrainPhase[] = [
  'features',
  'volatility',
  'logistic',
  'networks',
  'calibration',
  'evaluation',
  'packing',
]
const AFTER_NETWORKS = PHASES.indexOf('networks')

/** Counts the steps of a training with networks of at most `epochs` epochs, and tells `report` after each. */
export function createProgressMeter(
  epochs: number,
  report: ((progress: TrainProgress) => void) | undefined,
  now: (() => number) | undefined,
): ProgressMeter {
  const allEpochs = NetworkName.options.length * epochs
  const total = PHASES.length - 1 + allEpochs
  const done = new Map<NetworkName, number>()
  const epochsDone = (): number => [...done.values()].reduce((sum, count) => sum + count, 0)
  let phase: TrainPhase = 'features'
  let last: (Epoch & { network: NetworkName }) | null = null
  let startedAt = 0
  let measured = 0

  const secondsLeft = (): number | null => {
    if (now === undefined || phase !== 'networks' || measured === 0) return null
    const perEpoch = (now() - startedAt) / 1000 / measured
    return perEpoch * (allEpochs - epochsDone())
  }
  const tell = (): void => {
    const place = PHASES.indexOf(phase)
    report?.({
      phase,
      current: place <= AFTER_NETWORKS ? place + epochsDone() : place - 1 + allEpochs,
      total,
      epoch: last?.epoch ?? null,
      network: last?.network ?? null,
      trainLoss: last?.trainLoss ?? null,
      validationLoss: last?.validationLoss ?? null,
      secondsLeft: secondsLeft(),
    })
  }
  return {
    begin(next) {
      phase = next
      if (next === 'networks') startedAt = now?.() ?? 0
      tell()
    },
    epochEnded(network, epoch) {
      last = { network, epoch: epoch.epoch, trainLoss: epoch.trainLoss, validationLoss: epoch.validationLoss }
      done.set(network, epoch.epoch)
      measured++
      tell()
    },
    networkEnded(network) {
      done.set(network, epochs)
      tell()
    },
  }
}
