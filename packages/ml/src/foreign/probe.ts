import type { Candles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import type { Beside } from '../forecast/beside-series.ts'
import { gatherWindows } from '../runtime/windows.ts'
import { refuseFile } from './check-file.ts'
import { type ForeignCard, inputNames } from './foreign-card.ts'
import { foreignRows, foreignSeries } from './foreign-forecast.ts'
import { foreignInputs } from './foreign-inputs.ts'
import { runWindows } from './run-windows.ts'
import type { Sandbox } from './sandbox.ts'

const WINDOWS = 7

/** A few windows of its series, from the first that has one to the newest; null where none has. */
function seriesWindows(card: ForeignCard, candles: Candles, beside: Beside): Float32Array | null {
  const series = foreignSeries(card, candles, beside)
  const known = foreignRows(card, series, 0)
  if (known.length === 0) return null
  const featureCount = series.columns.length
  const rows = Int32Array.from(
    { length: WINDOWS },
    (_, k) => known[Math.floor((k * (known.length - 1)) / (WINDOWS - 1))]!,
  )
  const into = new Float32Array(WINDOWS * card.lookback * featureCount)
  gatherWindows({ features: foreignInputs(card, series.columns), featureCount }, card.lookback, rows, 0, into)
  return into
}

function noiseWindows(card: ForeignCard): Float32Array {
  const random = createRandom(11)
  return Float32Array.from({ length: WINDOWS * card.lookback * inputNames(card).length }, () => random.normal())
}

/**
 * Runs a few windows twice: the outputs must have their size and be the same, to the bit, both times. They are windows of its
 * series, for which they must be finite too; or of noise, which a model of prices may have no answer to. Throws
 * `unprocessable` with the reason.
 */
export async function probe(
  sandbox: Sandbox,
  card: ForeignCard,
  candles?: Candles,
  beside: Beside = {},
): Promise<void> {
  const real = candles === undefined ? null : seriesWindows(card, candles, beside)
  const windows = real ?? noiseWindows(card)
  const first = await runWindows(sandbox, card, windows)
  const isSound = (numbers: Float32Array) => real === null || numbers.every(Number.isFinite)
  if (!isSound(first.quantiles)) refuseFile('quantiles is not finite on candles of its series')
  if (!isSound(first.upLogit)) refuseFile('up_logit is not finite on candles of its series')
  const again = await runWindows(sandbox, card, windows)
  const isSame = (a: Float32Array, b: Float32Array) => a.every((value, k) => Object.is(value, b[k]))
  if (!isSame(first.quantiles, again.quantiles) || !isSame(first.upLogit, again.upLogit))
    refuseFile('it gives one window two answers')
}
