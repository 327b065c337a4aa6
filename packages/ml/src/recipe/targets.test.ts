import { describe, expect, it } from 'vitest'
import { buildFeatureTable } from '../features/feature-table.ts'
import { generateCandles, withoutCandles } from '../testing/generated-candles.ts'
import { findOutcomes, scaledTargets, upLabels } from './outcomes.ts'
import { splitRows } from './prepare-data.ts'

const candles = generateCandles({ candles: 1500, seed: 11 })
const table = buildFeatureTable(candles, '1h')
const outcomes = findOutcomes(candles.close, table, 8)

describe('findOutcomes', () => {
  it('gives the log return h candles ahead, and nothing beyond the last candle', () => {
    expect(outcomes.returns[3]![200]).toBeCloseTo(Math.log(candles.close[204]! / candles.close[200]!), 12)
    expect(outcomes.returns[7]![1491]).not.toBeNaN()
    expect(outcomes.returns[7]![1492]).toBeNaN()
    expect(outcomes.returns[0]![1499]).toBeNaN()
  })

  it('gives the log of the mean one-candle move', () => {
    const moves = [201, 202].map((i) => Math.abs(Math.log(candles.close[i]! / candles.close[i - 1]!)))
    expect(outcomes.moves[1]![200]).toBeCloseTo(Math.log((moves[0]! + moves[1]!) / 2), 12)
  })

  it('has none where a candle is missing in between', () => {
    const holed = withoutCandles(candles, 300, 301)
    const { returns } = findOutcomes(holed.close, buildFeatureTable(holed, '1h'), 8)
    expect([298, 299, 300].map((i) => Number.isNaN(returns[1]![i]!))).toEqual([true, true, false])
    expect(returns[0]![298]).not.toBeNaN()
  })
})

describe('outcomes of a market that stands still', () => {
  it('have moves of at least 0.02 σ, and returns of 0', () => {
    const still = { ...table, returns: new Float64Array(1500), sigma: new Float64Array(1500).fill(0.01) }
    const { returns, moves } = findOutcomes(new Float64Array(1500).fill(7), still, 2)
    expect(returns[1]![500]).toBe(0)
    expect(moves[1]![500]).toBeCloseTo(Math.log(0.0002), 12)
    expect([1497, 1498, 1499].map((i) => Number.isNaN(moves[1]![i]!))).toEqual([false, true, true])
  })
})

describe('labels and scaled targets', () => {
  it('call a flat outcome half up', () => {
    expect(Array.from(upLabels(Float64Array.of(0.1, -0.1, 0, Number.NaN)))).toEqual([1, 0, 0.5, 0.5])
  })

  it('divide by the forecast scale and leave 0 where there is no outcome', () => {
    const targets = scaledTargets(
      [Float64Array.of(0.02, Number.NaN), Float64Array.of(-0.03, 0.01)],
      [Float64Array.of(0.01, 0.01), Float64Array.of(0.02, 0.02)],
    )
    expect(Array.from(targets)).toEqual([2, -1.5, 0, 0.5])
  })
})

describe('splitRows', () => {
  const split = splitRows(table, outcomes, { lookback: 30, validationRatio: 0.13 })

  it('keeps the newest 400 candles out of every outcome that is learnt or tuned from', () => {
    // The hold-out is candles 1100 … 1499; the last row's outcome, 8 candles on, is candle 1099.
    expect(split.validation.at(-1)).toBe(1091)
    expect(split.holdout[0]).toBe(1099)
    expect(split.holdout.length).toBe(400)
  })

  it('begins after 99 candles of warm-up and a window of 30', () => expect(split.train[0]).toBe(128))

  it('purges eight rows between training and validation, 13 % of the rows', () => {
    expect(split.validation[0]! - split.train.at(-1)!).toBe(9)
    expect(split.usable).toBe(1091 - 128 + 1)
    expect(split.validation.length).toBe(Math.round(0.13 * split.usable))
    expect(split.train.length).toBe(split.usable - split.validation.length - 8)
    // 13.02 % of 964 rows are 125.5: 126.
    expect(splitRows(table, outcomes, { lookback: 30, validationRatio: 0.1302 }).validation.length).toBe(126)
  })

  it('takes no row whose outcome eight candles on lies beyond a hole, and judges none without a window', () => {
    // A candle is missing after 599: the rows 592 … 599 have no outcome at eight. From 1,300 on 30 are missing, and a window
    // of 30 after 99 candles of warm-up is there again 128 candles later.
    const holed = withoutCandles(withoutCandles(candles, 1300, 1330), 600, 601)
    const holedTable = buildFeatureTable(holed, '1h')
    const found = splitRows(holedTable, findOutcomes(holed.close, holedTable, 8), {
      lookback: 30,
      validationRatio: 0.13,
    })
    const learnt = new Set([...found.train, ...found.validation])
    expect([591, 592, 599, 600].map((i) => learnt.has(i))).toEqual([true, false, false, true])
    const [last, first] = [1298, 1299 + 128]
    const judged = new Set(found.holdout)
    expect([last, last + 1, first - 1, first].map((i) => judged.has(i))).toEqual([true, false, false, true])
  })
})
