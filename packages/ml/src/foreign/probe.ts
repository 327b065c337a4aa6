import { createRandom } from '@shapecast/engine/random'
import { refuseFile } from './check-file.ts'
import { type ForeignCard, inputNames } from './foreign-card.ts'
import { runWindows } from './run-windows.ts'
import type { Sandbox } from './sandbox.ts'

const WINDOWS = 7

/**
 * Runs a few made-up windows twice: the outputs must have their size, be finite, and be the same, to the bit, both times.
 * Throws `unprocessable` with the reason.
 */
export async function probe(sandbox: Sandbox, card: ForeignCard): Promise<void> {
  const random = createRandom(11)
  const size = WINDOWS * card.lookback * inputNames(card).length
  const windows = Float32Array.from({ length: size }, () => random.normal())
  const first = await runWindows(sandbox, card, windows)
  if (!first.quantiles.every(Number.isFinite)) refuseFile('quantiles is not finite on ordinary inputs')
  if (!first.upLogit.every(Number.isFinite)) refuseFile('up_logit is not finite on ordinary inputs')
  const again = await runWindows(sandbox, card, windows)
  const isSame = (a: Float32Array, b: Float32Array) => a.every((value, k) => value === b[k])
  if (!isSame(first.quantiles, again.quantiles) || !isSame(first.upLogit, again.upLogit))
    refuseFile('it gives one window two answers')
}
