import { forecastObjective } from './forecast.ts'
import { lstmTrunk } from './lstm-trunk.ts'
import type { NetworkShape } from './shape.ts'
import type { Network } from './training-graph.ts'
import { transformerTrunk } from './transformer-trunk.ts'

/** The network of a model recipe: trunk and forecast heads. Throws a RangeError where the sizes do not fit together. */
export function buildNetwork(shape: NetworkShape): Network {
  const trunk = shape.kind === 'lstm' ? lstmTrunk(shape) : transformerTrunk(shape)
  const { lookback, features } = shape
  return { trunk, objective: forecastObjective(trunk.width, shape), lookback, features }
}
