import { copyCandles, sliceCandles } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import { afterAll, describe, expect, it } from 'vitest'
import { changedFrom } from '../testing/altered-candles.ts'
import { generateCandles, withoutCandles } from '../testing/generated-candles.ts'
import { storedModel } from '../testing/stored-models.ts'
import { loadPredictor } from './predict.ts'
import { type Predictions, reasonFor } from './predictions.ts'

const LOOKBACK = 12
const COLUMNS = ['pUp', 'confidence', 'edgeBps', 'expectedMoveBps', 'stopLoss'] as const
const history = generateCandles({ candles: 7000, seed: 31 })
const trained = sliceCandles(history, 0, 2400)

const settings = { epochs: 2, lstmHidden: 8, transformerWidth: 8, transformerLayers: 1, lookback: LOOKBACK }
const source = { venue: 'generated', symbol: 'TESTUSDT' }
const training = {
  candles: trained,
  timeframe: '1h',
  settings,
  roundTripCostBps: 22,
  createdAtMs: 0,
  source,
} as const
const artifact = (await storedModel(training)).artifact
const predictor = await loadPredictor(artifact)
const whole = await predictor.predict(history)
afterAll(() => predictor.close())

const NETWORKS = ['lstm', 'transformer'] as const

/** That `part`'s forecasts are, candle by candle, those of `all`; `shift` is the index of part's candle 0 in all's candles. */
function expectSame(part: Predictions, all: Predictions, shift = 0): void {
  const at = part.from + shift - all.from
  const rows = part.to - part.from
  const cell = part.horizons * part.quantiles.length
  for (const column of COLUMNS) expect(part[column], column).toEqual(all[column].slice(at, at + rows))
  for (const name of NETWORKS) expect(part.medians[name], name).toEqual(all.medians[name]!.slice(at, at + rows))
  expect(part.signal).toEqual(all.signal.slice(at, at + rows))
  expect(part.quantilePrices).toEqual(all.quantilePrices.slice(at * cell, (at + rows) * cell))
}

describe('predict', () => {
  it('gives the same forecasts, to the bit, when the future is cut off', async () => {
    for (const cut of [2300, 2700, 4001])
      expectSame(await predictor.predict(sliceCandles(history, 0, cut), { from: cut - 50, to: cut }), whole)
  })

  it('gives the same forecasts when the future is another', async () => {
    const cut = 3000
    const other = changedFrom(history, cut)
    expectSame(await predictor.predict(other, { from: cut - 50, to: cut }), whole)
    const { pUp } = await predictor.predict(other, { from: cut, to: cut + 50 })
    expect(pUp).not.toEqual(whole.pUp.slice(cut, cut + 50))
  })

  it('does not depend on where the loaded history begins', async () => {
    const blockOf = (i: number) => Math.floor(history.ts[i]! / (2000 * 3_600_000))
    const lastOfBlock = history.ts.findLastIndex((_, i) => i < 6000 && blockOf(i) !== blockOf(i + 1))
    // Most is needed where the oldest window that is scored begins with the last candle of a block.
    for (const from of [6900, lastOfBlock + 500 + 8 + LOOKBACK - 1]) {
      const offset = from - predictor.historyCandles
      const recent = sliceCandles(history, offset)
      const range = { from: predictor.historyCandles, to: predictor.historyCandles + 100 }
      expectSame(await predictor.predict(recent, range), whole, offset)
    }
  })

  it('gives the same forecasts close by close, whose windows but one it has run before', async () => {
    const live = await loadPredictor(artifact)
    for (let i = 5000; i < 5010; i++)
      expectSame(await live.predict(sliceCandles(history, 0, i + 1), { from: i, to: i + 1 }), whole)
    const revised = copyCandles(history, 0, 5010)
    revised.close[4600]! *= 1.001
    const range = { from: 5009, to: 5010 }
    expect(await live.predict(revised, range)).toEqual(await predictor.predict(revised, range))
    await live.close()
  })

  it('gives for a range what it gives for all candles', async () => {
    expectSame(await predictor.predict(history, { from: 5000, to: 5100 }), whole)
    const none = await predictor.predict(history, { from: 10, to: 10 })
    expect([none.pUp.length, none.quantilePrices.length]).toEqual([0, 0])
  })

  it('holds without a number while it warms up, and from the first full window on says something', () => {
    const first = 99 + LOOKBACK - 1
    expect(Object.keys(whole.medians)).toEqual(NETWORKS)
    const columns = [...COLUMNS.map((name) => [name, whole[name]] as const), ...Object.entries(whole.medians)]
    for (const [name, column] of columns) {
      expect(column.subarray(0, first).every(Number.isNaN), name).toBe(true)
      expect(column.subarray(first).every(Number.isFinite), name).toBe(true)
    }
    expect(whole.signal.subarray(0, first).every((code) => code === DECISION.HOLD)).toBe(true)
    expect(reasonFor(whole, first - 1)).toMatch(/^HOLD: too few candles/)
    expect(reasonFor(whole, first)).toMatch(/^(BUY|SELL|HOLD): a (higher|lower) close of the next candle is \d/)
  })

  it('holds after a hole of 30 candles until a window lies behind it', async () => {
    const holed = withoutCandles(history, 3000, 3030)
    const { pUp, signal } = await predictor.predict(holed)
    const ready = 3000 + 99 + LOOKBACK - 1
    expect(pUp.subarray(3000, ready).every(Number.isNaN)).toBe(true)
    expect(signal.subarray(3000, ready).every((code) => code === DECISION.HOLD)).toBe(true)
    expect(pUp.subarray(ready).every(Number.isFinite)).toBe(true)
  })

  it('gives rising quantiles around the close, wider from horizon to horizon', () => {
    const { quantilePrices, horizons, quantiles } = whole
    const width = quantiles.length
    const spread = new Float64Array(horizons)
    let crossings = 0
    for (let i = 200; i < 7000; i++) {
      for (let h = 0; h < horizons; h++) {
        const at = (i * horizons + h) * width
        for (let q = 1; q < width; q++) crossings += quantilePrices[at + q]! >= quantilePrices[at + q - 1]! ? 0 : 1
        spread[h]! += quantilePrices[at + width - 1]! / quantilePrices[at]! - 1
      }
    }
    expect(crossings).toBe(0)
    for (let h = 1; h < horizons; h++) expect(spread[h]).toBeGreaterThan(spread[h - 1]!)
  })

  it('covers 90 % and 50 % of unseen candles at 1 and at 8 ahead, within three points', () => {
    const covered = (h: number, low: number, high: number): number => {
      let hits = 0
      for (let i = 2400; i + h < 7000; i++) {
        const at = (i * 8 + h - 1) * 5
        const close = history.close[i + h]!
        if (close >= whole.quantilePrices[at + low]! && close <= whole.quantilePrices[at + high]!) hits++
      }
      return hits / (7000 - 2400 - h)
    }
    for (const h of [1, 8]) {
      expect(Math.abs(covered(h, 0, 4) - 0.9)).toBeLessThan(0.03)
      expect(Math.abs(covered(h, 1, 3) - 0.5)).toBeLessThan(0.03)
    }
  })

  it('repeats over the hold-out what the card says of it', async () => {
    const { pUp } = await predictor.predict(trained, { from: 1999, to: 2399 })
    let right = 0
    for (let i = 1999; i < 2399; i++)
      right += pUp[i - 1999]! > 0.5 === trained.close[i + 1]! > trained.close[i]! ? 1 : 0
    const { accuracy, fan } = artifact.card.evaluation
    expect(right / 400).toBeCloseTo(accuracy.accuracy, 12)
    const rises = (i: number) => trained.close[i + 1]! > trained.close[i]!
    const judgedRows = Array.from({ length: 400 }, (_, k) => 1999 + k)
    const mostlyRose = artifact.card.calibration.climatology >= 0.5
    expect(judgedRows.filter((i) => rises(i) === mostlyRose).length / 400).toBe(accuracy.majorityBaseline)
    expect(judgedRows.filter((i) => rises(i) !== rises(i - 1)).length / 400).toBe(accuracy.reversalBaseline)
    const judged = await predictor.predict(trained, { from: 1999, to: 2399 })
    let inside = 0
    for (let k = 0; k < 400; k++) {
      const next = trained.close[2000 + k]!
      inside += next >= judged.quantilePrices[k * 40]! && next <= judged.quantilePrices[k * 40 + 4]! ? 1 : 0
    }
    expect(inside / 400).toBeCloseTo(fan[0]!.coverage90, 12)
  })

  it('calls the surest third of the validation rows', async () => {
    const { ranges, signal } = artifact.card
    const [from, to] = [ranges.validation.from, ranges.validation.to].map((ts) => trained.ts.indexOf(ts))
    const { pUp } = await predictor.predict(trained, { from: from!, to: to! + 1 })
    const called = pUp.filter((p) => Math.abs(p - 0.5) > signal.threshold)
    expect(Math.abs(called.length - pUp.length / 3)).toBeLessThan(1.5)
  })

  it('has a stop on the losing side and an edge of (2c − 1) × move − 22 bps', () => {
    for (let i = 2400; i < 2600; i++) {
      const rises = whole.pUp[i]! >= 0.5
      expect(whole.stopLoss[i]! < history.close[i]!).toBe(rises)
      expect(whole.edgeBps[i]).toBeCloseTo((2 * whole.confidence[i]! - 1) * whole.expectedMoveBps[i]! - 22, 9)
    }
  })

  it('refuses a range outside the candles', async () => {
    await expect(predictor.predict(history, { from: 6990, to: 7001 })).rejects.toThrow(RangeError)
  })
})

describe('loadPredictor', () => {
  it('refuses an artifact without one of its files, or made for other features', async () => {
    const { 'lstm.onnx': _left, ...files } = artifact.files
    await expect(loadPredictor({ ...artifact, files })).rejects.toThrow('lstm.onnx is missing')
    const made = artifact.card
    const [first, second, ...others] = made.features.names
    for (const names of [['another', second!, ...others], [second!, first!, ...others], []])
      await expect(
        loadPredictor({ ...artifact, card: { ...made, features: { ...made.features, names } } }),
      ).rejects.toThrow('its features are of another program version')
    const inputs = { ...made.har.inputs, names: made.har.inputs.names.slice(1) }
    await expect(loadPredictor({ ...artifact, card: { ...made, har: { ...made.har, inputs } } })).rejects.toThrow(
      'its volatility inputs are of another program version',
    )
  })
})
