import { HORIZONS } from '@shapecast/contracts/training-candles'
import type { ModelArtifactFile } from '@shapecast/ml/artifact/artifact'
import { fitBaselines, pinballLoss } from '@shapecast/ml/evaluate/fan'
import { loadPredictor } from '@shapecast/ml/forecast/predict'
import { prepareData } from '@shapecast/ml/recipe/prepare-data'
import { completeSettings, QUANTILES } from '@shapecast/ml/recipe/settings'
import type { StudyWindow } from './windows.ts'

/** How one candle's forecast fared; NaN where an outcome is not known. */
export interface StudyRow {
  coin: string
  ts: number
  /** By horizon: whether the outcome lay within the 90 % fan. */
  covered: number[]
  /** By horizon: pinball losses, relative to the mean loss of EWMA over the window, so that every window counts the same. */
  model: number[]
  ewma: number[]
  historical: number[]
  /** Next candle: 1 right, 0 wrong, NaN where it closed flat; and of both baselines. */
  right: number
  majority: number
  reversal: number
  /** −ln of what P(up) and climatology gave to what the next candle did. */
  logLoss: number
  climatologyLoss: number
}

const sumOver = (outcome: number, quantile: (q: number) => number): number =>
  QUANTILES.reduce((sum, level, q) => sum + pinballLoss(quantile(q), outcome, level), 0)

const lossOf = (p: number, outcome: number): number =>
  outcome === 0 || Number.isNaN(outcome) ? Number.NaN : -Math.log(outcome > 0 ? p : 1 - p)

/** Every candle of a window's hold-out, forecast by its model as if live. */
export async function windowRows({ coin, candles }: StudyWindow, artifact: ModelArtifactFile): Promise<StudyRow[]> {
  const { outcomes, split, table, up } = prepareData(candles, '1h', completeSettings(artifact.card.settings))
  const before = Int32Array.from([...split.train, ...split.validation])
  const baselines = fitBaselines(outcomes.returns, table.sigma, before, QUANTILES)
  const rises = before.reduce((sum, i) => sum + up[i]!, 0) / before.length >= 0.5
  const predictor = await loadPredictor(artifact)
  try {
    const from = split.holdout[0]!
    const made = await predictor.predict(candles, { from, to: candles.length })
    const rows = Array.from(split.holdout, (i): StudyRow => {
      const close = candles.close[i]!
      const fan = (h: number, q: number): number =>
        Math.log(made.quantilePrices[((i - from) * HORIZONS + h) * QUANTILES.length + q]! / close)
      const y = (h: number): number => outcomes.returns[h]![i]!
      const byHorizon = (f: (h: number) => number): number[] =>
        Array.from({ length: HORIZONS }, (_, h) => (Number.isNaN(y(h)) ? Number.NaN : f(h)))
      const next = y(0)
      const past = Math.log(close / candles.close[i - 1]!)
      const call = (rose: boolean): number =>
        next === 0 || Number.isNaN(next) ? Number.NaN : Number(rose === next > 0)
      return {
        coin,
        ts: candles.ts[i]!,
        covered: byHorizon((h) => Number(y(h) >= fan(h, 0) && y(h) <= fan(h, QUANTILES.length - 1))),
        model: byHorizon((h) => sumOver(y(h), (q) => fan(h, q))),
        ewma: byHorizon((h) => sumOver(y(h), (q) => baselines.ewma(h, i)[q]!)),
        historical: byHorizon((h) => sumOver(y(h), (q) => baselines.historical(h)[q]!)),
        right: call(made.pUp[i - from]! > 0.5),
        majority: call(rises),
        reversal: call(past === 0 ? rises : past < 0),
        logLoss: lossOf(made.pUp[i - from]!, next),
        climatologyLoss: lossOf(artifact.card.calibration.climatology, next),
      }
    })
    for (let h = 0; h < HORIZONS; h++) {
      const known = rows.filter((row) => !Number.isNaN(row.ewma[h]!))
      const mean = known.reduce((sum, row) => sum + row.ewma[h]!, 0) / known.length
      for (const row of known) for (const kind of ['model', 'ewma', 'historical'] as const) row[kind][h]! /= mean
    }
    return rows
  } finally {
    await predictor.close()
  }
}
