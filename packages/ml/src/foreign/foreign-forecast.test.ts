import { describe, expect, it } from 'vitest'
import { generateCandles } from '../generated-candles.ts'
import { expectedMoveBps } from '../signal/decide-signal.ts'
import { findOutcomes } from '../targets/outcomes.ts'
import { ForeignCard } from './foreign-card.ts'
import { finishForeign, foreignSeries, sizedByOutcomes } from './foreign-forecast.ts'

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
      lstm: none,
      transformer: none,
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
