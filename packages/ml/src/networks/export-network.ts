import { buildNetwork, FAMILIES } from './families.ts'
import { NECK } from './forecast.ts'
import { InferenceWriter } from './inference-writer.ts'
import { namedValues } from './parameters.ts'
import type { NetworkShape } from './shape.ts'
import { networkParameters } from './training-graph.ts'

/**
 * The inference file of a trained network: standard operators of opset 17, x [batch × lookback × features] →
 * quantiles [batch × horizons·levels], rising in each horizon, and up_logit [batch × 1]. `weights` is the joined vector that training gives.
 */
export function exportNetwork(shape: NetworkShape, weights: Float32Array): Uint8Array {
  const network = buildNetwork(shape)
  const w = new InferenceWriter(namedValues(networkParameters(network), weights))
  const vector = FAMILIES[shape.kind].infer(w, shape)
  const forecasts = shape.horizons * shape.quantiles.length
  const neck = w.node('Relu', [w.dense(vector, 'neck', network.trunk.width, NECK)])
  const raw = w.dense(neck, 'quantiles', NECK, forecasts)
  return w.finish(shape, {
    quantiles: { from: sorted(w, raw, shape), width: forecasts },
    up_logit: { from: w.dense(neck, 'up', NECK, 1), width: 1 },
  })
}

/** The quantiles of each horizon in rising order, however the outputs crossed. */
function sorted(w: InferenceWriter, raw: string, { horizons, quantiles }: NetworkShape): string {
  const levels = quantiles.length
  const fan = w.node('Reshape', [raw, w.integers([-1, horizons, levels])])
  const smallestFirst = { axis: { int: -1 }, largest: { int: 0 }, sorted: { int: 1 } }
  w.nodes('TopK', [fan, w.integers([levels])], ['rising', 'rising_from'], smallestFirst)
  return w.node('Reshape', ['rising', w.integers([-1, horizons * levels])])
}
