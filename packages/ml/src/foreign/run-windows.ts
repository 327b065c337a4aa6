import { refuseFile } from './check-file.ts'
import { type ForeignCard, inputNames } from './foreign-card.ts'
import type { Sandbox } from './sandbox.ts'

/**
 * What a model says of some windows, row-major [batch × lookback × inputs]: quantiles [batch × horizons × levels] and the
 * logits, flat. Throws `unprocessable` where they are of another size, as a file may answer as it likes.
 */
export async function runWindows(
  sandbox: Sandbox,
  card: ForeignCard,
  windows: Float32Array,
): Promise<{ quantiles: Float32Array; upLogit: Float32Array }> {
  const inputs = inputNames(card).length
  const batch = windows.length / (card.lookback * inputs)
  const made = await sandbox.run(windows, [batch, card.lookback, inputs])
  const sized = (name: string, { length }: Float32Array, each: number): void => {
    if (length !== batch * each)
      refuseFile(`${name} has ${length} numbers for ${batch} windows and should have ${batch * each}`)
  }
  sized('quantiles', made.quantiles, card.horizons * card.quantiles.length)
  sized('up_logit', made.upLogit, 1)
  return made
}
