import { HORIZONS } from '@shapecast/contracts/training-candles'
import { candlesFromRows } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import type { ModelParts } from '../forecast/model-parts.ts'
import { DEFAULT_SETTINGS, QUANTILES } from '../recipe/settings.ts'
import { type CalibratedForecast, type CalibrationInput, evaluateParts } from './judge-parts.ts'

const HOUR = 3_600_000
const N = 60
const FIRST_JUDGED = 49
/** Every return is 5 %, at every horizon. */
const returns = Array.from({ length: HORIZONS }, () => new Float64Array(N).fill(0.05))
const RAW_FROM = 10
const rows = N - RAW_FROM
const column = (value: number, length = N) => new Float64Array(length).fill(value)

/** The share of the hold-out that lies in a fan of ±0.4 % where the forecast of candle `known` alone has a score: 9 widths. */
function coverage(known: number): number {
  const candles = candlesFromRows(Array.from({ length: N }, (_, i) => [i * HOUR, 1, 1, 1, 1, 1]))
  const scores = column(Number.NaN, rows * HORIZONS * 2).fill(
    9,
    (known - RAW_FROM) * HORIZONS * 2,
    (known - RAW_FROM + 1) * HORIZONS * 2,
  )
  const raw = {
    from: RAW_FROM,
    to: N,
    quantiles: Float64Array.from({ length: rows * HORIZONS * 5 }, (_, k) => 0.002 * ((k % 5) - 2)),
    pUp: column(0.6, rows),
    medians: {},
  }
  const input = {
    candles,
    settings: DEFAULT_SETTINGS,
    data: {
      table: { atr: column(1), sigma: column(0.01) },
      outcomes: { returns },
      split: {
        train: Int32Array.of(1, 2, 3),
        validation: Int32Array.of(20, 21, 22),
        holdout: Int32Array.from({ length: 10 }, (_, k) => FIRST_JUDGED + k),
      },
    },
    volatility: { sigma: returns },
    roundTripCostBps: 22,
  } as unknown as CalibrationInput
  const calibrated: CalibratedForecast = {
    judgement: { calibration: { climatology: 0.5, weight: 1 }, threshold: 0.05, roundTripCostBps: 22 },
    climatology: 0.5,
    raw,
    scores: { ts: candles.ts.slice(RAW_FROM), scores },
  }
  const parts = { timeframe: '1h', horizons: HORIZONS, quantiles: QUANTILES, signalHorizon: 1 } as Partial<ModelParts>
  return evaluateParts(parts as ModelParts, input, calibrated).fan[0]!.coverage90
}

describe('the fan of the hold-out', () => {
  it('is corrected by outcomes that were known before it, and by none that reach into it', () => {
    // Eight candles after 40 is 48; after 41 it is 49, at whose close the first judged forecast is made.
    expect(coverage(40)).toBe(1)
    expect(coverage(41)).toBe(0)
    expect(coverage(48)).toBe(0)
  })
})
