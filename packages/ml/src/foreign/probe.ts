import { createRandom } from '@shapecast/engine/random'
import { refuseFile } from './check-file.ts'
import { type ForeignCard, inputNames } from './foreign-card.ts'
import { runWindows } from './run-windows.ts'
import type { Sandbox } from './sandbox.ts'

const WINDOWS = 7
/** Kernels may sum a batch in another order than a single window. */
const TOLERANCE = 1e-4

const far = (a: number, b: number): boolean => Math.abs(a - b) > TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b))

/**
 * Runs a few made-up windows: the outputs must have their size, be finite, and give a window the same alone as among
 * others. A file in which windows see each other would see the future of a batch. Throws `unprocessable` with the reason.
 */
export async function probe(sandbox: Sandbox, card: ForeignCard): Promise<void> {
  const size = card.lookback * inputNames(card).length
  const random = createRandom(11)
  const windows = Float32Array.from({ length: WINDOWS * size }, () => random.normal())
  const run = async (some: Float32Array) => {
    const made = await runWindows(sandbox, card, some)
    if (!made.quantiles.every(Number.isFinite)) refuseFile('quantiles is not finite on ordinary inputs')
    if (!made.upLogit.every(Number.isFinite)) refuseFile('up_logit is not finite on ordinary inputs')
    return made
  }
  const all = await run(windows)
  const cell = card.horizons * card.quantiles.length
  for (const row of [0, WINDOWS - 1]) {
    const alone = await run(windows.slice(row * size, (row + 1) * size))
    const differs =
      far(alone.upLogit[0]!, all.upLogit[row]!) ||
      alone.quantiles.some((q, k) => far(q, all.quantiles[row * cell + k]!))
    if (differs)
      refuseFile(
        'a window gives other numbers alone than among others, so that forecasts would depend on later candles',
      )
  }
}
