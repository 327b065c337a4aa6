import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { CandleRow } from '@shapecast/contracts/market'

/** Mean distance to the close that came, as a ratio of it: of the model, and of saying that nothing changes. */
export interface ForecastErrors {
  readonly model: number
  readonly noChange: number
}

/** Null where no forecast has a candle before it and one that came. */
export function forecastErrors(
  predictions: BacktestRun['mlPredictions'],
  rows: readonly CandleRow[],
): ForecastErrors | null {
  const closes = new Map(rows.map((row) => [row[0], row[4]]))
  let [model, noChange, count] = [0, 0, 0]
  for (const { timestamp, aligned_ts: t, lstm_prediction: said } of predictions) {
    const [before, came] = [closes.get(timestamp), closes.get(t)]
    if (before === undefined || came === undefined) continue
    model += Math.abs(said / came - 1)
    noChange += Math.abs(before / came - 1)
    count++
  }
  return count === 0 ? null : { model: model / count, noChange: noChange / count }
}
