import { FAN_QUANTILES } from '@shapecast/contracts/foreign-card'
import type { Candles } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import { buildFeatureTable, type FeatureTable, hasWindow } from '../features/feature-table.ts'
import type { Beside } from '../forecast/beside-series.ts'
import { finishForecast, rangeCorrections, scoreForecast } from '../forecast/finish-forecast.ts'
import { scoredCandles } from '../forecast/predict-range.ts'
import type { Predictions } from '../forecast/predictions.ts'
import type { RawForecast } from '../forecast/raw-forecast.ts'
import { CONFORMAL_WINDOW, FEWEST_SCORES, staticCorrections } from '../recipe/correct-fan.ts'
import { MEAN_ABS_NORMAL } from '../recipe/har-model.ts'
import { findOutcomes } from '../recipe/outcomes.ts'
import { gatherWindows } from '../runtime/windows.ts'
import { type ForeignCard, inputNames, learntFrom } from './foreign-card.ts'
import { foreignWords } from './foreign-fan.ts'
import { foreignColumns, foreignInputs } from './foreign-inputs.ts'
import { runWindows } from './run-windows.ts'
import type { Sandbox } from './sandbox.ts'

/** Windows in one message to the sandbox, which runs them one by one: fewer where they are long, as a message is copied. */
const BATCH = 256
const MOST_NUMBERS = 2_000_000
/** A forecast of a price 22,000 times as high or low is none, and would end in infinite prices. */
const LARGEST_LOG_RETURN = 10
const MEDIAN = FAN_QUANTILES.indexOf(0.5)

/** A model's card, and the cost of a round trip (fees and slippage, bps) that its edge is told after. */
export interface ForeignReading {
  readonly card: ForeignCard
  readonly roundTripCostBps: number
}

/** Candles with what a model's forecasts of them rest on. */
export interface ForeignSeries {
  readonly candles: Candles
  readonly table: FeatureTable
  /** By horizon what a quantile of 1 σ means: the volatility of one candle times √h. */
  readonly sigma: readonly Float64Array[]
  /** By horizon the log returns from each candle on, NaN where they are not known. */
  readonly returns: readonly Float64Array[]
  /** The model's inputs as they are, in its order. */
  readonly columns: readonly Float64Array[]
}

/** Works out what forecasts of these candles rest on, once. */
export function foreignSeries(card: ForeignCard, candles: Candles, beside: Beside = {}): ForeignSeries {
  const table = buildFeatureTable(candles, card.timeframe)
  const sigma = Array.from({ length: card.horizons }, (_, h) => table.sigma.map((s) => s * Math.sqrt(h + 1)))
  const { returns } = findOutcomes(candles.close, table, card.horizons)
  return { candles, table, sigma, returns, columns: foreignColumns(card, candles, table, beside) }
}

/** The rows from `from` on that have a window whose inputs are all known. */
export function foreignRows(
  { lookback }: ForeignCard,
  { table, columns }: Pick<ForeignSeries, 'table' | 'columns'>,
  from: number,
): Int32Array {
  const first = Math.max(0, from - lookback + 1)
  const rows: number[] = []
  let unknown = first - 1
  for (let i = first; i < table.length; i++) {
    if (columns.some((column) => Number.isNaN(column[i]!))) unknown = i
    if (i >= from && i - unknown >= lookback && hasWindow(table, i, lookback)) rows.push(i)
  }
  return Int32Array.from(rows)
}

/** What the model says of candles `from` … to the last, before any correction. */
export async function foreignRaw(
  sandbox: Pick<Sandbox, 'run'>,
  card: ForeignCard,
  { table, sigma, columns }: ForeignSeries,
  from: number,
): Promise<RawForecast> {
  const to = table.length
  const cell = card.horizons * FAN_QUANTILES.length
  const numbers = card.output === 'fan' ? card.horizons * card.quantiles.length : 0
  const words = foreignWords(card)
  const featureCount = inputNames(card).length
  const features = foreignInputs(card, columns)
  const unknown = (length: number): Float64Array => new Float64Array(length).fill(Number.NaN)
  const [quantiles, pUp, median] = [unknown((to - from) * cell), unknown(to - from), unknown(to - from)]
  const rows = foreignRows(card, { table, columns }, from)
  /** Candle `i`: what is no number is no forecast. */
  const place = (i: number, said: Float32Array, up: number): void => {
    const { fan, pUp: rises } = words(
      said,
      up,
      sigma.map((column) => column[i]!),
    )
    if (!fan.every((q) => Math.abs(q) <= LARGEST_LOG_RETURN) || !Number.isFinite(up)) return
    quantiles.set(fan, (i - from) * cell)
    pUp[i - from] = rises
    median[i - from] = fan[MEDIAN]!
  }
  const most = Math.min(BATCH, rows.length, Math.floor(MOST_NUMBERS / (card.lookback * featureCount)))
  const windows = new Float32Array(most * card.lookback * featureCount)
  for (let at = 0; at < rows.length; at += most) {
    const batch = gatherWindows({ features, featureCount }, card.lookback, rows, at, windows)
    const made = await runWindows(sandbox, card, windows.slice(0, batch * card.lookback * featureCount))
    for (let k = 0; k < batch; k++)
      place(rows[at + k]!, made.quantiles.subarray(k * numbers, (k + 1) * numbers), made.upLogit[k]!)
  }
  return { from, to, quantiles, pUp, medians: { uploaded: median } }
}

/** Takes back the forecasts whose fan, corrected, has a price that is none: infinite, or 0. In place. */
function dropPriceless(made: Predictions): Predictions {
  const cell = made.horizons * made.quantiles.length
  for (let k = 0; k < made.to - made.from; k++) {
    const fan = made.quantilePrices.subarray(k * cell, (k + 1) * cell)
    if (fan.every((price) => price > 0 && price < Number.POSITIVE_INFINITY)) continue
    made.signal[k] = DECISION.HOLD
    const { pUp, confidence, edgeBps, expectedMoveBps, stopLoss, medians } = made
    for (const column of [pUp, confidence, edgeBps, expectedMoveBps, stopLoss, ...Object.values(medians)])
      column[k] = Number.NaN
    fan.fill(Number.NaN)
  }
  return made
}

/**
 * The volatility of one horizon, from candle `from` on brought to the size of the moves: so that the mean |r| over the mean
 * σ of the last 500 candles is that of a standard normal, as our volatility model's is in training. The mean move of fat
 * tails is smaller than a root mean square tells. As it is where fewer than 50 outcomes are known.
 * @param returns log returns over the horizon, NaN where the outcome is not known
 */
export function sizedByOutcomes(
  sigma: Float64Array,
  returns: Float64Array,
  horizon: number,
  from: number,
): Float64Array {
  const sized = sigma.slice()
  for (let i = from; i < sigma.length; i++) {
    let [known, moved, expected] = [0, 0, 0]
    for (let j = Math.max(0, i - horizon - CONFORMAL_WINDOW + 1); j <= i - horizon; j++) {
      if (Number.isNaN(sigma[j]! + returns[j]!)) continue
      known++
      moved += Math.abs(returns[j]!)
      expected += sigma[j]!
    }
    if (known >= FEWEST_SCORES) sized[i]! *= moved / (MEAN_ABS_NORMAL * expected)
  }
  return sized
}

/** How the fan of candles `from` … to the last is corrected by how the raw forecasts of them and of those before fared. */
export function foreignCorrections(
  card: ForeignCard,
  { candles, returns }: ForeignSeries,
  raw: RawForecast,
  from: number,
): Float64Array {
  const fitted = learntFrom(card) ?? { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
  const none = { ts: new Float64Array(0), scores: new Float64Array(0) }
  return rangeCorrections({
    timeframe: card.timeframe,
    candles,
    scores: scoreForecast(raw, candles, returns, fitted, FAN_QUANTILES.length),
    earlierScores: none,
    fallback: staticCorrections(none, card.horizons),
    from,
    to: candles.length,
  })
}

/** What people and bots read of a foreign model's raw forecasts and their corrections, for candles `from` … to the last. */
export function finishForeign(
  { card, roundTripCostBps }: ForeignReading,
  { candles, table, sigma, returns }: ForeignSeries,
  made: { raw: RawForecast; corrections: Float64Array },
  from: number,
): Predictions {
  const { horizons, signalHorizon, signalThreshold: threshold } = card
  const at = signalHorizon - 1
  const finished = finishForecast({
    ...made,
    parts: { horizons, quantiles: FAN_QUANTILES, signalHorizon },
    judgement: { calibration: { climatology: 0.5, weight: 1 }, threshold, roundTripCostBps },
    candles,
    table,
    sigma: sigma.with(at, sizedByOutcomes(sigma[at]!, returns[at]!, signalHorizon, from)),
    from,
  })
  return dropPriceless(finished)
}

/**
 * Forecasts of candles `from` … to the last by a foreign model: its own P(up) and fan, the fan corrected conformally by how
 * its forecasts fared, as with ours.
 */
export async function predictForeign(
  sandbox: Pick<Sandbox, 'run'>,
  reading: ForeignReading,
  candles: Candles,
  from: number,
  beside: Beside,
): Promise<Predictions> {
  const { card } = reading
  const series = foreignSeries(card, candles, beside)
  const raw = await foreignRaw(sandbox, card, series, Math.max(0, from - scoredCandles(card.horizons)))
  return finishForeign(reading, series, { raw, corrections: foreignCorrections(card, series, raw, from) }, from)
}
