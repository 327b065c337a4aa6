import type { NetworkName } from '@shapecast/contracts/networks'
import { createRandom } from '@shapecast/engine/random'
import type { NetworkShape } from '../../networks/shape.ts'
import type { NetworkTraining } from '../network-training.ts'

/** A network that trains in a moment. */
export function smallShape(kind: NetworkName): NetworkShape {
  const quantiles = [0.1, 0.5, 0.9]
  return { kind, features: 3, lookback: 5, hidden: 8, width: 8, heads: 2, layers: 2, horizons: 2, quantiles }
}

/** 400 rows whose target is the first feature two rows back, plus noise: a network can learn it in a few epochs. */
export function smallTraining(kind: NetworkName, over: Partial<NetworkTraining> = {}): NetworkTraining {
  const shape = smallShape(kind)
  const rows = 400
  const random = createRandom(5)
  const features = Float32Array.from({ length: rows * shape.features }, () => random.normal())
  const targets = new Float32Array(rows * shape.horizons)
  const up = new Float32Array(rows)
  for (let row = 2; row < rows; row++) {
    const value = features[(row - 2) * shape.features]! + 0.1 * random.normal()
    targets.fill(value, row * shape.horizons, (row + 1) * shape.horizons)
    up[row] = value > 0 ? 1 : 0
  }
  const range = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, i) => from + i)
  const settings = { epochs: 4, patience: 4, batch: 32, learningRate: 0.01, dropout: 0.2, weightDecay: 1e-4, seed: 7 }
  return {
    shape,
    features,
    targets,
    up,
    trainRows: range(10, 300),
    validationRows: range(310, 400),
    ...settings,
    ...over,
  }
}
