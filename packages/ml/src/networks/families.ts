import type { NetworkName } from '@shapecast/contracts/networks'
import { forecastObjective } from './forecast.ts'
import type { InferenceWriter } from './inference-writer.ts'
import { inferLstm, lstmTrunk } from './lstm-trunk.ts'
import type { Trunk } from './network.ts'
import type { NetworkShape } from './shape.ts'
import type { Network } from './training-graph.ts'
import { inferTransformer, transformerTrunk } from './transformer-trunk.ts'

/** What makes a family of networks: how a window becomes a vector. Heads, losses and training are the same for all. */
export interface NetworkFamily {
  /** Throws a RangeError where the sizes do not fit together. */
  trunk(shape: NetworkShape): Trunk
  /** The trunk in standard operators, for the inference file; gives the name of its vector [batch × trunk width]. */
  infer(w: InferenceWriter, shape: NetworkShape): string
}

export const FAMILIES: Readonly<Record<NetworkName, NetworkFamily>> = {
  lstm: { trunk: lstmTrunk, infer: inferLstm },
  transformer: { trunk: transformerTrunk, infer: inferTransformer },
}

/** The network of a model recipe: trunk and forecast heads. Throws a RangeError where the sizes do not fit together. */
export function buildNetwork(shape: NetworkShape): Network {
  const trunk = FAMILIES[shape.kind].trunk(shape)
  const { lookback, features } = shape
  return { trunk, objective: forecastObjective(trunk.width, shape), lookback, features }
}
