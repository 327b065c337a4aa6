import { createRandom } from '@shapecast/engine/random'
import { refuseFile } from './check-file.ts'
import { type ForeignCard, inputNames } from './foreign-card.ts'
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
  const inputs = inputNames(card).length
  const size = card.lookback * inputs
  const random = createRandom(11)
  const windows = Float32Array.from({ length: WINDOWS * size }, () => random.normal())
  const all = await sandbox.run(windows, [WINDOWS, card.lookback, inputs])
  const cell = card.horizons * card.quantiles.length
  const sized = (name: string, values: Float32Array, rows: number, each: number): void => {
    if (values.length !== rows * each)
      refuseFile(`${name} has ${values.length} numbers for ${rows} windows and should have ${rows * each}`)
    if (!values.every(Number.isFinite)) refuseFile(`${name} is not finite on ordinary inputs`)
  }
  sized('quantiles', all.quantiles, WINDOWS, cell)
  sized('up_logit', all.upLogit, WINDOWS, 1)
  for (const row of [0, WINDOWS - 1]) {
    const alone = await sandbox.run(windows.slice(row * size, (row + 1) * size), [1, card.lookback, inputs])
    sized('quantiles', alone.quantiles, 1, cell)
    sized('up_logit', alone.upLogit, 1, 1)
    const differs =
      far(alone.upLogit[0]!, all.upLogit[row]!) ||
      alone.quantiles.some((q, k) => far(q, all.quantiles[row * cell + k]!))
    if (differs)
      refuseFile(
        'a window gives other numbers alone than among others, so that forecasts would depend on later candles',
      )
  }
}
