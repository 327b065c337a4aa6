import type { CandleRow } from '@shapecast/contracts/market'
import { indexAtOrBefore } from '../candle-index.ts'
import { emaColumn } from './ema-column.ts'
import { FUTURE_STEPS, type PredictionOrigin, type PricePrediction } from './price-input.ts'

export const EMA_FAST = 20
export const EMA_SLOW = 50

/** What the chart draws, as columns by candle index. Prices in quote, times are open times in ms. */
export interface PriceModel {
  readonly rows: readonly CandleRow[]
  readonly count: number
  readonly stepMs: number
  readonly times: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
  readonly emaFast: Float64Array
  readonly emaSlow: Float64Array
}

/** Model's words by candle index, `FUTURE_STEPS` longer than the candles; NaN where a network says nothing. */
export interface PredictionColumns {
  readonly lstm: Float64Array
  readonly transformer: Float64Array
  readonly signals: readonly SignalMark[]
  /**
   * Mean distance between the LSTM's forecast and the close that came, ratio of that close, over the closed candles whose
   * outcome the model had not learnt from; null where there is none.
   */
  readonly meanError: number | null
}

export interface SignalMark {
  readonly kind: 'BUY' | 'SELL'
  readonly index: number
  /** How much it matters where not all can be drawn: its confidence. */
  readonly weight: number
  readonly origin: PredictionOrigin
}

/**
 * Columns of the candles. Where `before` has the same candles up to index `from`, its averages are carried on from there.
 */
export function priceModel(rows: readonly CandleRow[], stepMs: number, before?: PriceModel, from = 0): PriceModel {
  const count = rows.length
  const columns = Array.from({ length: 6 }, () => new Float64Array(count))
  const [times, open, high, low, close, volume] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  for (let i = 0; i < count; i++) {
    const row = rows[i]!
    times[i] = row[0]
    open[i] = row[1]
    high[i] = row[2]
    low[i] = row[3]
    close[i] = row[4]
    volume[i] = row[5]
  }
  const emaFast = emaColumn(close, EMA_FAST, before?.emaFast, from)
  const emaSlow = emaColumn(close, EMA_SLOW, before?.emaSlow, from)
  return { rows, count, stepMs, times, open, high, low, close, volume, emaFast, emaSlow }
}

/** Index of the candle that is open at `t`, up to `FUTURE_STEPS` beyond the last one; −1 where the chart has none. */
export function indexOfTime(model: Pick<PriceModel, 'times' | 'count' | 'stepMs'>, t: number): number {
  const { times, count, stepMs } = model
  const index = indexAtOrBefore(times, t)
  if (index < 0) return -1
  const steps = Math.floor((t - times[index]!) / stepMs)
  if (index < count - 1) return steps === 0 ? index : -1
  return steps <= FUTURE_STEPS ? index + steps : -1
}

/** Puts predictions on the candles; the later of two of the same candle counts. */
export function predictionColumns(model: PriceModel, predictions: readonly PricePrediction[]): PredictionColumns {
  const lstm = new Float64Array(model.count + FUTURE_STEPS).fill(Number.NaN)
  const transformer = lstm.slice()
  const marks = new Map<number, SignalMark>()
  let errors = 0
  let judged = 0
  for (const said of predictions) {
    const index = indexOfTime(model, said.t)
    if (index < 0) continue
    lstm[index] = said.lstm ?? Number.NaN
    transformer[index] = said.transformer ?? Number.NaN
    // The last candle is still forming.
    if (said.lstm !== null && said.origin !== 'trained_on' && index < model.count - 1) {
      errors += Math.abs(said.lstm / model.close[index]! - 1)
      judged++
    }
    if (said.signal === 'HOLD' || index >= model.count) marks.delete(index)
    else marks.set(index, { kind: said.signal, index, weight: said.confidence, origin: said.origin })
  }
  const meanError = judged === 0 ? null : errors / judged
  return { lstm, transformer, meanError, signals: [...marks.values()].sort((a, b) => a.index - b.index) }
}
