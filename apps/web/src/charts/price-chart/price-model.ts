import type { CandleRow } from '@shapecast/contracts/market'
import { indexAtOrBefore } from '../candle-index.ts'
import { FUTURE_STEPS, type PredictionOrigin, type PricePrediction } from './price-input.ts'

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

/** Columns of the candles. */
export function priceModel(rows: readonly CandleRow[], stepMs: number): PriceModel {
  const column = (cell: 0 | 1 | 2 | 3 | 4 | 5) => Float64Array.from(rows, (row) => row[cell])
  return {
    rows,
    count: rows.length,
    stepMs,
    times: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  }
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
