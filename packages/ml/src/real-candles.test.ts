import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Candles, candlesFromRows, sliceCandles } from '@shapecast/engine/candles'
import { beforeAll, describe, expect, it } from 'vitest'
import { fanReport, fitBaselines } from './evaluate/fan.ts'
import { fanCorrections, staticCorrections, widenFan } from './recipe/correct-fan.ts'
import { fitLogistic, predictLogistic } from './recipe/logistic-regression.ts'
import { fitVolatility, prepareData } from './recipe/prepare-data.ts'
import { conformalScores } from './recipe/scores.ts'
import { completeSettings, QUANTILES } from './recipe/settings.ts'

const data = process.env.SHAPECAST_DATA ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url))
const file = join(data, 'BTCUSDT-1h-2017-2024.csv')
const WINDOWS = 9
const WINDOW = 5000
/** Between the ends of two windows. */
const STRIDE = 6500
const CELL = 8 * QUANTILES.length

const readCandles = (): Candles =>
  candlesFromRows(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').map(Number)),
  )

/** What the parts without networks make of one window: hits of the logistic regression, and the HAR fan's report. */
function judgeWindow(candles: Candles) {
  const settings = completeSettings({})
  const training = prepareData(candles, '1h', settings)
  const { split, outcomes, table, matrix, up } = training
  const { sigma, residualQuantiles } = fitVolatility(training, settings.harAlpha)
  const logistic = fitLogistic(matrix, table.features.length, split.train, up, settings.logisticC)
  const pUp = predictLogistic(logistic, matrix, 0, candles.length)
  const next = outcomes.returns[0]!
  const judged = split.holdout.filter((i) => next[i]! !== 0 && !Number.isNaN(next[i]!))
  const hits = judged.filter((i) => pUp[i]! > 0.5 === next[i]! > 0).length

  const from = split.train.at(-1)! + 1
  const rows = candles.length - from
  const fan = new Float64Array(rows * CELL)
  for (let k = 0; k < fan.length; k++) {
    const [row, h, q] = [Math.floor(k / CELL), Math.floor((k % CELL) / 5), k % 5]
    fan[k] = sigma[h]![from + row]! * residualQuantiles[h]![q]!
  }
  const ts = candles.ts.slice(from)
  const scores = { ts, scores: conformalScores(fan, outcomes.returns, from, rows, QUANTILES.length) }
  const fallback = staticCorrections({ ts: ts.slice(0, 0), scores: new Float64Array(0) }, 8)
  widenFan(fan, fanCorrections(ts, scores, fallback, 3_600_000))
  const before = Int32Array.from([...split.train, ...split.validation])
  const baselines = fitBaselines(outcomes.returns, table.sigma, before, QUANTILES)
  const held = fan.slice((split.holdout[0]! - from) * CELL)
  return { accuracy: hits / judged.length, fan: fanReport(held, split.holdout, outcomes.returns, QUANTILES, baselines) }
}

describe.skipIf(!existsSync(file))('on real hours of BTC, 2017 to 2024, nine windows', () => {
  let windows: ReturnType<typeof judgeWindow>[] = []
  beforeAll(() => {
    const candles = readCandles()
    windows = Array.from({ length: WINDOWS }, (_, k) => {
      const end = candles.length - k * STRIDE
      return judgeWindow(sliceCandles(candles, end - WINDOW, end))
    })
  })
  const mean = (f: (window: ReturnType<typeof judgeWindow>) => number): number =>
    windows.reduce((sum, window) => sum + f(window), 0) / windows.length

  it('the direction of the next candle is called right a little more often than not', () => {
    expect(mean((w) => w.accuracy)).toBeGreaterThan(0.52)
    expect(mean((w) => w.accuracy)).toBeLessThan(0.58)
  })

  it('the corrected fan covers 90 ± 2 % at one candle and 90 ± 3 % at eight', () => {
    expect(Math.abs(mean((w) => w.fan[0]!.coverage90) - 0.9)).toBeLessThan(0.02)
    expect(Math.abs(mean((w) => w.fan[7]!.coverage90) - 0.9)).toBeLessThan(0.03)
  })

  it('its pinball loss is smaller than that of EWMA volatility and of past quantiles', () => {
    const skill = (of: 'skillOverEwma' | 'skillOverHistorical') => mean((w) => w.fan.reduce((s, h) => s + h[of] / 8, 0))
    expect(skill('skillOverEwma')).toBeGreaterThan(0)
    expect(skill('skillOverHistorical')).toBeGreaterThan(0.02)
  })
})
