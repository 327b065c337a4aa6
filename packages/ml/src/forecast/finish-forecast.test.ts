import { candlesFromRows } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import { describe, expect, it } from 'vitest'
import type { FeatureTable } from '../features/feature-table.ts'
import { finishForecast } from './finish-forecast.ts'
import { reasonFor } from './predictions.ts'

const close = [1, 1, 1, 1, 200, 50]
const { NaN: none } = Number
const fan = (...factors: number[]) => factors.map(Math.log)

/** Candles 3, 4 and 5 of six, two horizons; the raw forecast begins with candle 2, and of candle 5 there is none. */
const made = finishForecast({
  parts: { horizons: 2, quantiles: [0.05, 0.25, 0.5, 0.75, 0.95], signalHorizon: 2 },
  judgement: { calibration: { climatology: 0.5, weight: 0.5 }, threshold: 0.05, roundTripCostBps: 22 },
  candles: candlesFromRows(close.map((price, i) => [i, price, price, price, price, 1])),
  table: { atr: Float64Array.of(9, 9, 9, 9, 10, 9) } as Partial<FeatureTable> as FeatureTable,
  sigma: [Float64Array.of(9, 9, 9, 9, 0.5, 9), Float64Array.of(9, 9, 9, 9, 0.01, 9)],
  raw: {
    from: 2,
    to: 6,
    quantiles: Float64Array.of(
      ...new Array(20).fill(0),
      ...fan(0.98, 0.99, 1, 1.01, 1.02),
      ...fan(0.96, 0.98, 1, 1.02, 1.04),
      ...new Array(10).fill(none),
    ),
    pUp: Float64Array.of(0.1, 0.3, 0.7, none),
    medians: {
      one: Float64Array.of(0, 0, Math.log(1.01), none),
      other: Float64Array.of(0, 0, Math.log(0.99), none),
    },
  },
  // The 90% range two candles ahead becomes wider by half its width on either side.
  corrections: Float64Array.of(0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0),
  from: 3,
})
const [low, high] = [192 * Math.sqrt(0.96 / 1.04), 208 * Math.sqrt(1.04 / 0.96)]

describe('a finished forecast', () => {
  it('calls up with ½ + ½ (0.7 − ½) = 0.6, which is sure enough, and holds where nothing can be said', () => {
    expect(Array.from(made.pUp)).toEqual([expect.closeTo(0.4, 12), expect.closeTo(0.6, 12), none])
    expect(Array.from(made.confidence)).toEqual([expect.closeTo(0.6, 12), expect.closeTo(0.6, 12), none])
    expect(Array.from(made.signal)).toEqual([DECISION.SELL, DECISION.BUY, DECISION.HOLD])
  })

  it('has its fan and the medians of each network in prices of its own candle', () => {
    const prices = [196, 198, 200, 202, 204, low, 196, 200, 204, high].map((price) => expect.closeTo(price, 9))
    expect(Array.from(made.quantilePrices.slice(10, 20))).toEqual(prices)
    expect(made.quantilePrices.slice(20).every(Number.isNaN)).toBe(true)
    expect([made.medians.one![1], made.medians.other![1]]).toEqual([202, 198].map((price) => expect.closeTo(price, 9)))
  })

  it('expects a move of 0.798 × 1 %, of which 0.2 are the edge before costs of 22 bps', () => {
    expect(made.expectedMoveBps[1]).toBeCloseTo(79.788, 3)
    expect(made.edgeBps[1]).toBeCloseTo(0.2 * 79.788 - 22, 3)
    expect([made.expectedMoveBps[2], made.edgeBps[2], made.stopLoss[2]]).toEqual([none, none, none])
  })

  it('stops at the lower end of the farthest range, which is nearer than 2 × 10 below 200', () => {
    expect(made.stopLoss[1]).toBeCloseTo(low, 9)
  })

  it('says the numbers of its own candle, and of no other', () => {
    expect(reasonFor(made, 4)).toBe(
      'BUY: a higher close 2 candles ahead is 60.0% likely; a signal needs more than 55.00%. The move is about ' +
        '0.80%: after costs of 0.22% a trade is expected to lose 0.06%. Nine of ten closes 2 candles ahead should ' +
        'land between 184.468 and 216.493.',
    )
    expect(reasonFor(made, 5)).toMatch(/^HOLD: too few candles/)
    for (const i of [2, 6]) expect(() => reasonFor(made, i)).toThrow(`Candle ${i} is not in the range 3 … 5.`)
  })
})
