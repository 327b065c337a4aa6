import { UP_WEIGHT } from '../networks/forecast.ts'
import type { NetworkShape } from '../networks/shape.ts'
import { forwardPass, type Network } from '../networks/training-graph.ts'
import { openSession, type RuntimeTensor, tensorOf } from '../runtime/onnx-runtime.ts'
import { gatherWindows } from '../runtime/windows.ts'

const BATCH = 128

export interface ValidationData {
  /** Row-major [rows × features]. */
  features: Float32Array
  /** Row-major [rows × horizons]. */
  targets: Float32Array
  /** [rows]. */
  up: Float32Array
  rows: Int32Array
}

/** Judges weights by the loss of the rows that they were not trained on. */
export interface Validation {
  /** Mean over all rows, without dropout, of the loss that training minimises, with the quantiles of a horizon sorted. */
  loss(weights: RuntimeTensor, signal?: AbortSignal): Promise<number>
  close(): Promise<void>
}

/** Compiles the forward pass once; the weights are fed to it. `close` it when done. */
export async function openValidation(network: Network, shape: NetworkShape, data: ValidationData): Promise<Validation> {
  const session = await openSession(forwardPass(network, BATCH))
  const windows = new Float32Array(BATCH * shape.lookback * shape.features)
  const x = tensorOf(windows, [BATCH, shape.lookback, shape.features])
  const table = { features: data.features, featureCount: shape.features }
  return {
    async loss(weights, signal) {
      let total = 0
      for (let from = 0; from < data.rows.length; from += BATCH) {
        signal?.throwIfAborted()
        // The last batch is filled up with windows of the one before, whose outputs nobody reads.
        const count = gatherWindows(table, shape.lookback, data.rows, from, windows)
        const outputs = await session.run({ weights, x })
        const fan = outputs.quantiles!.data as Float32Array
        const logits = outputs.up_logit!.data as Float32Array
        for (let i = 0; i < count; i++) total += rowLoss(shape, data, data.rows[from + i]!, fan, logits, i)
      }
      return total / data.rows.length
    },
    close: () => session.release(),
  }
}

/** Pinball + 0.5 × binary cross entropy of one row: of sorted quantiles, as they are used, and summed in float64. */
function rowLoss(
  { horizons, quantiles }: NetworkShape,
  { targets, up }: ValidationData,
  row: number,
  fan: Float32Array,
  logits: Float32Array,
  index: number,
): number {
  const levels = quantiles.length
  let pinball = 0
  for (let h = 0; h < horizons; h++) {
    const from = (index * horizons + h) * levels
    const rising = fan.subarray(from, from + levels).sort()
    for (let q = 0; q < levels; q++) {
      const residual = targets[row * horizons + h]! - rising[q]!
      pinball += Math.max(quantiles[q]! * residual, (quantiles[q]! - 1) * residual)
    }
  }
  const z = logits[index]!
  const crossEntropy = Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - up[row]! * z
  return pinball / (horizons * levels) + UP_WEIGHT * crossEntropy
}
