import type { Tensor } from './graph.ts'
import * as op from './operators.ts'
import type { Tape } from './tape.ts'
import { sizeOf } from './tensor-shape.ts'

/** Losses of a batch: scalars, each with a gradient rule of its own. */

/**
 * Pinball loss (Koenker and Bassett 1978), mean over all values: max(τ·r, (τ−1)·r) with r = target − forecast.
 * `forecast` and the levels τ have the same last axis; `target` broadcasts to the forecast.
 */
export function pinballLoss(tape: Tape, forecast: Tensor, target: Tensor, levels: readonly number[]): Tensor {
  const g = tape.graph
  const residual = op.sub(g, target, forecast)
  const weight = op.sub(g, g.constant([levels.length], levels), op.isNegative(g, residual))
  const axes = forecast.shape.map((_, axis) => axis)
  const loss = op.mean(g, op.mul(g, residual, weight), axes)
  return tape.record(loss, [forecast], (grad, to) => {
    to(forecast, () => op.mul(g, weight, op.mul(g, grad, g.scalar(-1 / sizeOf(forecast.shape)))))
  })
}

/** Binary cross entropy of a logit z against 0 or 1, mean over the batch: log(1 + eᶻ) − label·z. */
export function binaryCrossEntropy(tape: Tape, logit: Tensor, label: Tensor): Tensor {
  const g = tape.graph
  const each = op.sub(g, op.softplus(g, logit), op.mul(g, label, logit))
  const axes = logit.shape.map((_, axis) => axis)
  return tape.record(op.mean(g, each, axes), [logit], (grad, to) => {
    const share = op.mul(g, grad, g.scalar(1 / sizeOf(logit.shape)))
    to(logit, () => op.mul(g, op.sub(g, op.sigmoid(g, logit), label), share))
  })
}
