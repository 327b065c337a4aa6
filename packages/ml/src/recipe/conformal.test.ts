import { candlesFromRows } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scoreForecast } from '../forecast/finish-forecast.ts'
import { conformalQuantile, createSortedWindow, fanCorrections, staticCorrections, widenFan } from './correct-fan.ts'
import { conformalScores, joinScores, packScores, type ScoreTable, sliceScores, unpackScores } from './scores.ts'

const HOUR = 3_600_000

describe('conformalScores', () => {
  it('say how far outside an outcome lies in widths of its interval, negative inside', () => {
    const fan = Float64Array.of(-2, -1, 0, 1, 2)
    const score = (y: number) => Array.from(conformalScores(fan, [Float64Array.of(y)], 0, 1, 5))
    expect(score(3)).toEqual([1 / 4, 2 / 2])
    expect(score(0)).toEqual([-2 / 4, -1 / 2])
    expect(score(-1.5)).toEqual([-0.5 / 4, 0.5 / 2])
    expect(score(Number.NaN)).toEqual([Number.NaN, Number.NaN])
  })
})

describe('scores of several rows and horizons', () => {
  it('belong to the candle of their row, and there is none of a range without width', () => {
    const fan = Float64Array.of(-2, -1, 0, 1, 2, -4, -2, 0, 2, 4, 0, 0, 0, 0, 0, -2, -1, 0, 1, 2)
    const outcomes = [Float64Array.of(9, 9, 3, 0), Float64Array.of(9, 9, 6, 2)]
    // Rows of candles 2 and 3. 3 of −2 … 2 is 1/4 outside, 6 of −4 … 4 too; then no width, and 2 on the edge of −2 … 2.
    const scores = conformalScores(fan, outcomes, 2, 2, 5)
    expect(Array.from(scores)).toEqual([0.25, 1, 0.25, 1, Number.NaN, Number.NaN, 0, 0.5])
  })
})

it('packs scores that are not known into the same bytes, whatever bits their NaN has', () => {
  const packed = (bits: bigint) => {
    const scores = new Float64Array(BigUint64Array.of(bits, 0n).buffer)
    return Array.from(packScores({ ts: Float64Array.of(5), scores }))
  }
  const nan = packed(0x7ff8_0000_0000_0000n)
  for (const bits of [0xfff8_0000_0000_0000n, 0x7ff8_0000_0000_0001n]) expect(packed(bits)).toEqual(nan)
  expect(unpackScores(Uint8Array.from(nan), 2).scores).toEqual(Float64Array.of(Number.NaN, 0))
})

describe('scoreForecast', () => {
  it('has no score of a candle that was fitted to, both ends included', () => {
    const candles = candlesFromRows([0, 1, 2, 3, 4].map((i) => [i * HOUR, 1, 1, 1, 1, 1]))
    const none = new Float64Array(4)
    // Candles 1 … 4, each −2 … 2 for an outcome of 0.
    const raw = { from: 1, to: 5, quantiles: flatFan(4), pUp: none, medians: {} }
    const known = (from: number, to: number) => {
      const fitted = { from: from * HOUR, to: to * HOUR }
      const { ts, scores } = scoreForecast(raw, candles, [new Float64Array(5)], fitted, 5)
      expect(scores.length).toBe(8)
      return Array.from(
        ts.filter((_, i) => scores[2 * i] === -0.5 && scores[2 * i + 1] === -0.5),
        (t) => t / HOUR,
      )
    }
    expect(known(2, 3)).toEqual([1, 4])
    expect(known(0, 1)).toEqual([2, 3, 4])
    expect(known(5, 9)).toEqual([1, 2, 3, 4])
  })
})

describe('createSortedWindow', () => {
  it('keeps any values in order through additions and removals', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 60 }), (values) => {
        const window = createSortedWindow(10)
        const kept: number[] = []
        for (const value of values) {
          if (kept.length === 10) window.remove(kept.shift()!)
          window.add(value)
          kept.push(value)
          const sorted = [...kept].sort((a, b) => a - b)
          expect(sorted.map((_, k) => window.at(k))).toEqual(sorted)
        }
      }),
    )
  })

  it('gives the ⌈(n + 1) × 0.9⌉-th smallest of 19 scores, the 18th, as the conformal quantile', () => {
    const window = createSortedWindow(19)
    for (let k = 1; k <= 19; k++) window.add(k)
    expect(conformalQuantile(window, 0.9)).toBe(18)
  })
})

/** One horizon, rows an hour apart, the same score for both intervals. */
const tableOf = (values: readonly number[], startHour = 0): ScoreTable => ({
  ts: Float64Array.from(values, (_, i) => (startHour + i) * HOUR),
  scores: Float64Array.from(values.flatMap((v) => [v, v])),
})
const flatFan = (rows: number): Float64Array => Float64Array.from({ length: rows * 5 }, (_, k) => (k % 5) - 2)

/** Corrects a fan in place by the scores that were known at each row. */
const correctFan = (fan: Float64Array, ...known: Parameters<typeof fanCorrections>): void =>
  widenFan(fan, fanCorrections(...known))

describe('a corrected fan', () => {
  it('widens both sides by the known scores’ quantile', () => {
    const fan = flatFan(1)
    correctFan(fan, Float64Array.of(60 * HOUR), tableOf(new Array(60).fill(0.25)), [0, 0], HOUR)
    // 90 %: width 4, reach 1; 50 %: width 2, reach 0.5.
    expect(Array.from(fan)).toEqual([-3, -1.5, 0, 1.5, 3])
  })

  it('takes the corrections that came with the model where fewer than 50 scores are known', () => {
    const fan = flatFan(1)
    correctFan(fan, Float64Array.of(49 * HOUR), tableOf(new Array(49).fill(0.25)), [0.5, 0], HOUR)
    expect(Array.from(fan)).toEqual([-4, -1, 0, 1, 4])
  })

  it('learns from an outcome when it is known, not before', () => {
    const calm = tableOf([...new Array(100).fill(0), ...new Array(100).fill(1)])
    const ts = Float64Array.from({ length: 200 }, (_, i) => i * HOUR)
    const fan = flatFan(200)
    correctFan(fan, ts, calm, [0, 0], HOUR)
    const changed = flatFan(200)
    correctFan(changed, ts, tableOf([...new Array(100).fill(0), ...new Array(100).fill(-0.2)]), [0, 0], HOUR)
    // Row 100's outcome is known at 101: up to there both fans agree, later they part.
    expect(changed.slice(0, 101 * 5)).toEqual(fan.slice(0, 101 * 5))
    expect(changed.slice(150 * 5)).not.toEqual(fan.slice(150 * 5))
  })

  it('forgets what lies more than 500 candles back', () => {
    // Of 500 scores the 451st smallest counts at 90 %: 49 fives above 451 zeros, and 50.
    const reach = (fives: number) => {
      const scores = tableOf([...new Array(fives).fill(5), ...new Array(500 - fives).fill(0), ...new Array(49).fill(5)])
      const fan = flatFan(1)
      correctFan(fan, Float64Array.of((500 + 49) * HOUR), scores, [0, 0], HOUR)
      return fan[4]
    }
    expect(reach(300)).toBe(22)
    expect(reach(49)).toBe(2)
    const all = tableOf([...new Array(50).fill(5), ...new Array(450).fill(0)])
    for (const [now, outer] of [
      [500, 22],
      [501, 22],
    ] as const) {
      const fan = flatFan(1)
      correctFan(fan, Float64Array.of(now * HOUR), all, [0, 0], HOUR)
      expect(fan[4]).toBe(outer)
    }
    const longer = tableOf([...new Array(50).fill(5), ...new Array(451).fill(0)])
    const fan = flatFan(1)
    correctFan(fan, Float64Array.of(501 * HOUR), longer, [0, 0], HOUR)
    expect(fan[4]).toBe(2)
    // At 50 % it is the 251st: of 250 fives the oldest is gone, so that 251 zeros are the most.
    const half = tableOf([...new Array(250).fill(5), ...new Array(251).fill(0)])
    const inner = flatFan(1)
    correctFan(inner, Float64Array.of(501 * HOUR), half, [0, 0], HOUR)
    expect(inner[3]).toBe(1)
  })

  it('counts a forecast h candles ahead h candles later, each horizon and interval by its own scores', () => {
    // 60 rows, then one of 9 at both horizons. Scores of 0.25 one candle ahead and 0.5 two ahead.
    const rows = 60
    const scores = Float64Array.from({ length: rows * 4 }, (_, k) => [0.25, 0.1, 0.5, 0.2][k % 4]!)
    const known: ScoreTable = { ts: Float64Array.from({ length: rows }, (_, i) => i * HOUR), scores }
    const at = (hour: number) => Array.from(fanCorrections(Float64Array.of(hour * HOUR), known, [7, 7, 7, 7], HOUR))
    // At hour 49 the outcomes of rows 0 … 48 are known one candle ahead and 0 … 47 two ahead: fewer than 50 of either.
    expect(at(49)).toEqual([7, 7, 7, 7])
    expect(at(50)).toEqual([0.25, 0.1, 7, 7])
    expect(at(51)).toEqual([0.25, 0.1, 0.5, 0.2])
  })

  it('narrows to a tenth at most, and keeps the order where the inner range outgrows the outer one', () => {
    const fan = flatFan(1)
    correctFan(fan, Float64Array.of(60 * HOUR), tableOf(new Array(60).fill(-0.6)), [0, 0], HOUR)
    expect(Array.from(fan)).toEqual([-0.2, -0.1, 0, 0.1, 0.2].map((v) => expect.closeTo(v, 12)))
    const crossed = flatFan(2)
    widenFan(crossed, Float64Array.of(0, 1, 0, 1))
    // The middle 50 %, −1 … 1, becomes −3 … 3, which is then outside of −2 … 2.
    expect(Array.from(crossed)).toEqual([-3, -2, 0, 2, 3, -3, -2, 0, 2, 3])
  })

  it('brings a fan that is three times too narrow to 90 % and 50 %', () => {
    const random = createRandom(4)
    const rows = 6000
    const z = [-1.645, -0.674, 0, 0.674, 1.645].map((q) => q / 3)
    const fan = Float64Array.from({ length: rows * 5 }, (_, k) => z[k % 5]!)
    const outcomes = Float64Array.from({ length: rows }, () => random.normal())
    const ts = Float64Array.from({ length: rows }, (_, i) => i * HOUR)
    correctFan(fan, ts, { ts, scores: conformalScores(fan, [outcomes], 0, rows, 5) }, [0, 0], HOUR)
    const covered = (low: number, high: number) => {
      let hits = 0
      for (let i = 100; i < rows; i++)
        if (outcomes[i]! >= fan[i * 5 + low]! && outcomes[i]! <= fan[i * 5 + high]!) hits++
      return hits / (rows - 100)
    }
    expect(covered(0, 4)).toBeCloseTo(0.9, 1.5)
    expect(covered(1, 3)).toBeCloseTo(0.5, 1.5)
  })
})

describe('score tables', () => {
  it('come back as they were packed, unknown scores too', () => {
    const table = tableOf([0.5, Number.NaN, -0.1])
    expect(unpackScores(packScores(table), 2)).toEqual(table)
  })

  it('join without taking a candle twice', () => {
    const joined = joinScores(tableOf([1, 2, 3]), tableOf([7, 8], 2))
    expect(Array.from(joined.ts)).toEqual([0, HOUR, 2 * HOUR, 3 * HOUR])
    expect(Array.from(joined.scores)).toEqual([1, 1, 2, 2, 7, 7, 8, 8])
  })

  it('are cut by rows, and refused where bytes are missing', () => {
    const middle = sliceScores(tableOf([1, 2, 3, 4]), 1, 3)
    expect([Array.from(middle.ts), Array.from(middle.scores)]).toEqual([
      [HOUR, 2 * HOUR],
      [2, 2, 3, 3],
    ])
    expect(sliceScores(tableOf([]), 0, 0).scores.length).toBe(0)
    expect(() => unpackScores(packScores(tableOf([1])).subarray(1), 2)).toThrow('no whole rows of 2 scores')
    expect(joinScores(tableOf([]), tableOf([1])).ts.length).toBe(1)
    expect(joinScores(tableOf([1]), tableOf([])).ts.length).toBe(1)
  })

  it('without any known score correct nothing', () => {
    expect(staticCorrections(tableOf([Number.NaN]), 1)).toEqual([0, 0])
  })

  it('give static corrections by column', () => {
    expect(staticCorrections(tableOf([0.1, 0.2, Number.NaN]), 1)).toEqual([0.2, 0.2])
  })
})
