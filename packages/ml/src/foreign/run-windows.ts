import { refuseFile } from './check-file.ts'
import { type ForeignCard, inputNames } from './foreign-card.ts'
import type { Sandbox } from './sandbox.ts'

/** Classes that are as good as sure: P(up) stays a number that has a logit. */
const SUREST = 1e-6
const ROUNDING = 1e-3

/** ln(P(up) / P(down)) of each window: of its last class and its first, whatever lies between. */
function logitsOf(said: Float32Array, windows: number): Float32Array {
  const classes = said.length / windows
  if (!Number.isInteger(classes) || classes < 2)
    refuseFile(`its output has ${said.length} numbers for ${windows} windows and should have one a class`)
  const odds = (k: number): number => {
    const p = said.subarray(k * classes, (k + 1) * classes)
    // Of a forest that has weights for one of two classes, ONNX Runtime says [−p, p].
    const down = classes === 2 && p[0] === -p[1]! ? 1 - p[1]! : p[0]!
    const up = p[classes - 1]!
    // A sum over many trees in float32 may pass 1 by a little.
    if ([down, up].some((one) => one < -ROUNDING || one > 1 + ROUNDING))
      refuseFile('its output is no probability of each class')
    return Math.log(Math.max(SUREST, up) / Math.max(SUREST, down))
  }
  return Float32Array.from({ length: windows }, (_, k) => odds(k))
}

/**
 * What a model says of some windows, row-major [batch × lookback × inputs]: quantiles [batch × horizons × levels] and the
 * logits, flat. Without a fan the quantiles are none, and of a model of returns its numbers stand in for the logits. Throws
 * `unprocessable` where they are of another size, as a file may answer as it likes.
 */
export async function runWindows(
  sandbox: Pick<Sandbox, 'run'>,
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
  const none = new Float32Array(0)
  if (card.output === 'classes') return { quantiles: none, upLogit: logitsOf(made.quantiles, batch) }
  if (card.output === 'return') {
    sized('its output', made.quantiles, 1)
    return { quantiles: none, upLogit: made.quantiles }
  }
  sized('quantiles', made.quantiles, card.horizons * card.quantiles.length)
  sized('up_logit', made.upLogit, 1)
  return made
}
