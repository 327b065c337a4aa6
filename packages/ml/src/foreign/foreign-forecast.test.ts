import { DECISION } from '@shapecast/engine/decisions'
import { describe, expect, it } from 'vitest'
import { expectedMoveBps } from '../recipe/decide-signal.ts'
import { findOutcomes } from '../recipe/outcomes.ts'
import { generateCandles } from '../testing/generated-candles.ts'
import { ForeignCard } from './foreign-card.ts'
import { finishForeign, foreignRaw, foreignSeries, sizedByOutcomes } from './foreign-forecast.ts'
import type { Sandbox } from './sandbox.ts'

describe('the expected move of an upload', () => {
  const sigma = new Float64Array(700).fill(0.01)
  // Nine moves of 20 bps and one of 300: 48 bps on average, where σ = 1 % would promise 79.8 of a normal.
  const tails = Float64Array.from(sigma, (_, i) => (i % 2 === 0 ? 1 : -1) * (i % 10 === 9 ? 0.03 : 0.002))
  const bps = (returns: Float64Array, i: number): number => expectedMoveBps(sizedByOutcomes(sigma, returns, 2, i)[i]!)

  it('is the mean size of the moves, not that of a normal with their root mean square', () => {
    expect(bps(tails, 600)).toBeCloseTo(48, 9)
    expect(
      bps(
        tails.map((r) => 2 * r),
        600,
      ),
    ).toBeCloseTo(96, 9)
  })

  it('goes by σ as it is until 50 outcomes, 2 candles ahead, are known', () => {
    expect(bps(tails, 50)).toBeCloseTo(79.788, 3)
    expect(bps(tails, 51)).toBeCloseTo(48, 9)
    // A candle without outcome is none of them.
    const hole = tails.with(7, Number.NaN)
    expect(bps(hole, 51)).toBeCloseTo(79.788, 3)
    expect(bps(hole, 52)).toBeCloseTo(48, 9)
  })

  it('counts the 500 newest candles whose outcome was known, and none after', () => {
    // At candle 600 those are candles 99 … 598; each move of 1 in place of one of 300 or 20 bps would show.
    for (const outside of [98, 599]) expect(bps(tails.with(outside, 1), 600)).toBeCloseTo(48, 9)
    expect(bps(tails.with(99, 1), 600)).toBeCloseTo(48 + (10_000 - 300) / 500, 9)
    expect(bps(tails.with(598, 1), 600)).toBeCloseTo(48 + (10_000 - 20) / 500, 9)
  })

  it('is what a forecast says, at its signal horizon', () => {
    const candles = generateCandles({ candles: 800, seed: 7 })
    const card = ForeignCard.parse({
      format: 'shapecast-foreign-model',
      formatVersion: 1,
      name: 'by hand',
      timeframe: '1h',
      lookback: 1,
      inputs: [{ name: 'return_1' }],
      signalHorizon: 2,
    })
    const none = new Float64Array(1)
    const raw = {
      from: 799,
      to: 800,
      quantiles: new Float64Array(40),
      pUp: none.with(0, 0.6),
      medians: { uploaded: none },
    }
    const series = foreignSeries(card, candles)
    const corrections = new Float64Array(16)
    const made = finishForeign({ card, roundTripCostBps: 22 }, series, { raw, corrections }, 799)
    const { returns } = findOutcomes(candles.close, series.table, 8)
    const move = expectedMoveBps(sizedByOutcomes(series.sigma[1]!, returns[1]!, 2, 799)[799]!)
    expect(made.expectedMoveBps).toEqual(Float64Array.of(move))
    expect(made.edgeBps[0]).toBeCloseTo(0.2 * move - 22, 9)
  })
})

it('a forecast with a price that is none is taken back whole, and the one beside it is not', () => {
  const candles = generateCandles({ candles: 800, seed: 7 })
  const card = ForeignCard.parse({
    format: 'shapecast-foreign-model',
    formatVersion: 1,
    name: 'by hand',
    timeframe: '1h',
    lookback: 1,
    inputs: [{ name: 'return_1' }],
    signalThreshold: 0.02,
  })
  const finish = (logReturn: number) => {
    const quantiles = new Float64Array(80)
    quantiles[39] = logReturn
    const median = new Float64Array(2)
    const raw = { from: 798, to: 800, quantiles, pUp: Float64Array.of(0.9, 0.9), medians: { uploaded: median } }
    const series = foreignSeries(card, candles)
    return finishForeign({ card, roundTripCostBps: 0 }, series, { raw, corrections: new Float64Array(32) }, 798)
  }
  // A price of some e¹⁰ is a number times e⁶⁹⁰, none times e⁷²⁰, and 0 times e⁻⁸⁰⁰.
  expect(Array.from(finish(690).signal)).toEqual([DECISION.BUY, DECISION.BUY])
  for (const logReturn of [720, -800]) {
    const made = finish(logReturn)
    expect(Array.from(made.signal)).toEqual([DECISION.HOLD, DECISION.BUY])
    const { pUp, confidence, edgeBps, expectedMoveBps, stopLoss, medians } = made
    for (const column of [pUp, confidence, edgeBps, expectedMoveBps, stopLoss, medians.uploaded!])
      expect(Array.from(column, Number.isNaN)).toEqual([true, false])
    expect(made.quantilePrices.subarray(0, 40).every(Number.isNaN)).toBe(true)
    expect(made.quantilePrices.subarray(40).some(Number.isNaN)).toBe(false)
  }
})

describe('what a model says of each candle', () => {
  const candles = generateCandles({ candles: 700, seed: 7 })
  const cardIn = (quantileUnit: 'sigma' | 'log_return') =>
    ForeignCard.parse({
      format: 'shapecast-foreign-model',
      formatVersion: 1,
      name: 'by hand',
      timeframe: '1h',
      lookback: 2,
      inputs: [{ name: 'close' }],
      quantileUnit,
    })
  type Said = { fan: (horizon: number) => number[]; logit: number }
  const FAN = [-0.02, -0.01, 0, 0.01, 0.02]

  /** What `say` answers to the close of each candle, and the windows of each message. */
  async function rawOf(say: (close: number) => Partial<Said>, from: number, unit: 'sigma' | 'log_return' = 'sigma') {
    const batches: number[] = []
    const sandbox: Sandbox = {
      alive: true,
      limit: () => () => {},
      async run(windows, [batch]) {
        batches.push(batch)
        const said = Array.from({ length: batch }, (_, k) => ({
          fan: () => FAN,
          logit: 0,
          ...say(windows[2 * k + 1]!),
        }))
        return {
          quantiles: Float32Array.from(
            said.flatMap(({ fan }) => Array.from({ length: 8 }, (_, h) => fan(h + 1)).flat()),
          ),
          upLogit: Float32Array.from(said, ({ logit }) => logit),
        }
      },
      close: () => {},
    }
    const series = foreignSeries(cardIn(unit), candles)
    return { raw: await foreignRaw(sandbox, cardIn(unit), series, from), series, batches }
  }
  /** As the model sees it. */
  const close = (i: number) => Math.fround(candles.close[i]!)

  it('is told of its own candle, in messages of 256 windows, from the 101st candle on', async () => {
    const { raw, batches } = await rawOf((seen) => ({ logit: seen / 10_000 }), 50)
    expect(batches).toEqual([256, 256, 88])
    expect((await rawOf(() => ({}), 700)).batches).toEqual([])
    raw.pUp.forEach((p, k) => {
      if (k < 50) expect(p).toBeNaN()
      else expect(p).toBeCloseTo(1 / (1 + Math.exp(-close(50 + k) / 10_000)), 6)
    })
  })

  it('is a fan in σ√h, put in order, and its median at one candle ahead', async () => {
    const { raw, series } = await rawOf(() => ({ fan: (h) => [h, 2, -1, 0, -2] }), 699)
    const sigma = series.table.sigma[699]!
    const fan = (h: number) => Array.from(raw.quantiles.subarray((h - 1) * 5, h * 5), (q) => q / (sigma * Math.sqrt(h)))
    ;[-2, -1, 0, 1, 2].forEach((q, level) => {
      expect(fan(1)[level]).toBeCloseTo(q, 6)
    })
    ;[-2, -1, 0, 2, 4].forEach((q, level) => {
      expect(fan(4)[level]).toBeCloseTo(q, 6)
    })
    expect(raw.medians.uploaded![0]).toBe(0)
  })

  it.each<[string, Partial<Said>]>([
    ['a log return of more than 10', { fan: (h) => (h === 8 ? [-0.02, -0.01, 0, 0.01, 10.01] : FAN) }],
    ['a number that is none', { fan: (h) => (h === 8 ? [Number.NaN, -0.01, 0, 0.01, 1] : FAN) }],
    ['an infinite logit', { logit: Number.POSITIVE_INFINITY }],
    ['a logit that is none', { logit: Number.NaN }],
  ])('is nothing where it says %s, and the candles beside it keep theirs', async (_what, said) => {
    const { raw } = await rawOf((seen) => (seen === close(698) ? said : {}), 697, 'log_return')
    expect(Array.from(raw.pUp)).toEqual([0.5, Number.NaN, 0.5])
    expect(raw.quantiles.subarray(40, 80).every(Number.isNaN)).toBe(true)
    expect(raw.quantiles.subarray(80).some(Number.isNaN)).toBe(false)
    expect(Array.from(raw.medians.uploaded!)).toEqual([0, Number.NaN, 0])
  })

  it('is taken up to a log return of 10', async () => {
    const { raw } = await rawOf(() => ({ fan: () => [-10, -1, 0, 1, 10] }), 699, 'log_return')
    expect(Array.from(raw.quantiles.subarray(35))).toEqual([-10, -1, 0, 1, 10])
  })
})
