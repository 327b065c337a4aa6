import { maskWidth, type Network } from '../networks/training-graph.ts'
import { type RuntimeTensor, tensorOf } from '../runtime/onnx-runtime.ts'
import { gatherWindows } from '../runtime/windows.ts'
import type { EpochPlan } from './epoch-plan.ts'
import type { NetworkTraining } from './network-training.ts'

/** The inputs of a training step, in arrays that every batch reuses. */
export interface BatchFeeds {
  /** Batch k of an epoch: its windows, targets and dropout masks. Overwritten by the next call. */
  fill(plan: EpochPlan, k: number): Record<string, RuntimeTensor>
}

/** The feeds of a training step over reused arrays: those of one batch are gone once the next is filled. */
export function batchFeeds(network: Network, training: NetworkTraining): BatchFeeds {
  const { shape, batch } = training
  const table = { features: training.features, featureCount: shape.features }
  const windows = new Float32Array(batch * shape.lookback * shape.features)
  const targets = new Float32Array(batch * shape.horizons)
  const up = new Float32Array(batch)
  const masks = new Float32Array(batch * maskWidth(network))
  const feeds = {
    x: tensorOf(windows, [batch, shape.lookback, shape.features]),
    targets: tensorOf(targets, [batch, shape.horizons]),
    up: tensorOf(up, [batch, 1]),
  }
  const withMasks = { ...feeds, masks: tensorOf(masks, [batch, maskWidth(network)]) }
  return {
    fill(plan, k) {
      gatherWindows(table, shape.lookback, plan.rows, k * batch, windows)
      for (let i = 0; i < batch; i++) {
        const row = plan.rows[k * batch + i]!
        up[i] = training.up[row]!
        targets.set(training.targets.subarray(row * shape.horizons, (row + 1) * shape.horizons), i * shape.horizons)
      }
      if (training.dropout === 0) return feeds
      plan.fillMasks(masks)
      return withMasks
    },
  }
}
