import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.ts'
import { ema, wilder } from './averages.ts'
import { bollinger, macd } from './bands.ts'
import { rsi, ultimateOscillator } from './oscillators.ts'
import { rollingMoments, sma, zScore } from './rolling.ts'
import { atr, ewmaVolatility, logMeanAbs, trueRange } from './volatility.ts'

const column = (...values: number[]) => Float64Array.from(values)
const close = (actual: number, expected: number) =>
  Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)) ||
  (Number.isNaN(actual) && Number.isNaN(expected))
const last = (x: Float64Array) => x[x.length - 1]!
const rollingStd = (x: Float64Array, period: number) => rollingMoments(x, period).std

describe('indicators by hand', () => {
  it('sma of 1, 2, 3, 6 over 3 is 2 and 11/3, undefined before', () =>
    expect([...sma(column(1, 2, 3, 6), 3)]).toEqual([Number.NaN, Number.NaN, 2, 11 / 3]))
  it('a mean skips what is missing at the start', () =>
    expect([...sma(column(Number.NaN, 1, 2, 4), 2)]).toEqual([Number.NaN, Number.NaN, 1.5, 3]))
  it('a mean forgets a huge value as soon as it has left the window', () =>
    expect([...sma(column(1e17, 1, 2, 3), 2).slice(2)]).toEqual([1.5, 2.5]))
  it('a mean takes back exactly what it could not hold beside a huge value', () =>
    expect([...sma(column(1, 1e17, 1, 2), 2).slice(3)]).toEqual([1.5]))
  it('a deviation of 0.01 at a price of a billion keeps its digits', () => {
    const x = Float64Array.from({ length: 3000 }, (_, i) => 1e9 + (i % 2) / 64)
    expect(last(rollingStd(x, 20))).toBeCloseTo(1 / 128, 12)
  })
  it('ema over 3 of 1, 2, 3, 6: seeded by 2, then 2 + ½ × (6 − 2) = 4', () =>
    expect([...ema(column(1, 2, 3, 6), 3).slice(2)]).toEqual([2, 4]))
  it("Wilder's smoothing over 2 of 1, 3, 6: seeded by 2, then 2 + ½ × 4 = 4", () =>
    expect([...wilder(column(1, 3, 6), 2).slice(1)]).toEqual([2, 4]))
  it('standard deviation is the population one: of 2, 4 it is 1', () =>
    expect([...rollingStd(column(2, 4, 4), 2).slice(1)]).toEqual([1, 0]))
  it('z-score of 4 after 2 is (4 − 3) / 1 = 1, and 0 where nothing varies', () =>
    expect([...zScore(column(2, 4, 4), 2).slice(1)]).toEqual([1, 0]))
  it('deviation of a still price after a wild one is exactly 0', () => {
    const x = column(1, 1e9, 3, ...Array.from({ length: 50 }, () => 0.1))
    expect([...rollingStd(x, 20).slice(30)].every((v) => v === 0)).toBe(true)
  })
  it('rsi over 2 of 1, 2, 1, 3: gains ½ and losses ½, then (½+2)/2 and ½/2, so 50 and 83.33', () => {
    const out = rsi(column(1, 2, 1, 3), 2)
    expect([...out.slice(0, 3)]).toEqual([Number.NaN, Number.NaN, 50])
    expect(out[3]).toBeCloseTo((100 * 1.25) / 1.5, 12)
  })
  it('rsi of a price that never moves is 50', () => expect(last(rsi(new Float64Array(20).fill(7)))).toBe(50))
  it('true range reaches to the close before: high 10, low 9, close before 12 is 3', () =>
    expect(last(trueRange(column(13, 10), column(11, 9), column(12, 9.5)))).toBe(3))
  it('atr over 2 of true ranges 3, 5, 8 is 4, then 6', () => {
    const out = atr(column(1, 3, 5, 8), column(1, 0, 0, 0), column(1, 0, 0, 0), 2)
    expect([...out]).toEqual([Number.NaN, Number.NaN, 4, 6])
  })
  it('ultimate oscillator with closes at the top of every range is 100', () => {
    const ramp = Float64Array.from({ length: 40 }, (_, i) => 10 + i)
    const out = ultimateOscillator(ramp, ramp, ramp)
    expect(out[27]).toBeNaN()
    expect(out[28]).toBe(100)
  })
  it('ultimate oscillator is 100 × (4 a + 2 b + c) / 7 of its three shares', () => {
    const random = createRandom(5)
    const c = Float64Array.from({ length: 60 }, () => 100 + 5 * random.normal())
    const h = c.map((v) => v + random.next())
    const l = c.map((v) => v - random.next())
    const share = (at: number, period: number) => {
      let pressure = 0
      let range = 0
      for (let i = at - period + 1; i <= at; i++) {
        const bottom = Math.min(l[i]!, c[i - 1]!)
        pressure += c[i]! - bottom
        range += Math.max(h[i]!, c[i - 1]!) - bottom
      }
      return pressure / range
    }
    const out = ultimateOscillator(h, l, c)
    for (let at = 28; at < 60; at++)
      expect(out[at]).toBeCloseTo((100 * (4 * share(at, 7) + 2 * share(at, 14) + share(at, 28))) / 7, 10)
  })
  it('bollinger of 2, 4 over 2: middle 3, one deviation is 1, so 5 and 1', () => {
    const bands = bollinger(column(2, 4), 2, 2)
    expect([bands.upper[1], bands.middle[1], bands.lower[1]]).toEqual([5, 3, 1])
  })
  it('macd of a straight line: the averages lag by (slow − fast) / 2 candles', () => {
    const ramp = Float64Array.from({ length: 300 }, (_, i) => i)
    const out = macd(ramp)
    expect(last(out.macd)).toBeCloseTo(7, 6)
    expect(last(out.histogram)).toBeCloseTo(0, 6)
  })
  it('ewma volatility of a constant return is that return from the first candle on', () => {
    for (const value of ewmaVolatility(column(0.02, -0.02, 0.02), 0.9)) expect(value).toBeCloseTo(0.02, 15)
  })
  it('ewma volatility with λ ½ of 0.02 and 0.04 is √((0.0016 + ½ × 0.0004) / 1.5), and the same rule holds later', () => {
    expect(last(ewmaVolatility(column(0.02, 0.04), 0.5))).toBeCloseTo(Math.sqrt(0.0018 / 1.5), 14)
    const random = createRandom(9)
    const returns = Float64Array.from({ length: 60 }, () => 0.01 * random.normal())
    let squares = 0
    let weights = 0
    for (let k = 0; k < 60; k++) {
      squares += 0.9 ** k * returns[59 - k]! ** 2
      weights += 0.9 ** k
    }
    expect(last(ewmaVolatility(returns, 0.9))).toBeCloseTo(Math.sqrt(squares / weights), 14)
  })
  it('log mean absolute return of 0.01 and −0.03 is ln 0.02; of no move the floor', () => {
    expect(last(logMeanAbs(column(0.01, -0.03), 2))).toBeCloseTo(Math.log(0.02), 14)
    expect(last(logMeanAbs(column(0, 0), 2, 1e-6))).toBe(Math.log(1e-6))
  })
  it('a period that is no whole number of candles is refused', () => {
    expect(() => sma(column(1, 2), 0)).toThrow(RangeError)
    expect(() => ema(column(1, 2), 1.5)).toThrow(RangeError)
  })
  it('a series shorter than the period stays undefined', () => {
    for (const out of [sma, ema, rollingStd, rsi]) expect([...out(column(1, 2), 5)]).toEqual([NaN, NaN])
  })
})

const prices = fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 80 })
const periods = fc.integer({ min: 1, max: 30 })
const windows = (x: Float64Array, period: number, of: (window: Float64Array) => number) =>
  Float64Array.from(x, (_, i) => (i < period - 1 ? Number.NaN : of(x.subarray(i - period + 1, i + 1))))
const meanOf = (x: Float64Array) => x.reduce((a, b) => a + b, 0) / x.length
const stdOf = (x: Float64Array) => Math.sqrt(meanOf(x.map((v) => (v - meanOf(x)) ** 2)))

describe('indicators against their definitions', () => {
  const agrees = (fast: (x: Float64Array, p: number) => Float64Array, naive: (window: Float64Array) => number) =>
    fc.assert(
      fc.property(prices, periods, (values, period) => {
        const x = Float64Array.from(values)
        const slow = windows(x, period, naive)
        const scale = 1e-9 * Math.max(...values)
        return fast(x, period).every((v, i) => Object.is(v, slow[i]) || Math.abs(v - slow[i]!) <= scale)
      }),
    )
  it('rolling mean', () => agrees(sma, meanOf))
  it('rolling deviation', () => agrees(rollingStd, stdOf))

  it('no value looks ahead: cutting the series changes nothing before the cut', () =>
    fc.assert(
      fc.property(prices, fc.nat(), (values, at) => {
        const x = Float64Array.from(values)
        const cut = x.slice(0, 1 + (at % x.length))
        for (const of of [
          (c: Float64Array) => rsi(c, 5),
          (c: Float64Array) => ultimateOscillator(c, c, c),
          (c: Float64Array) => macd(c, 2, 4, 3).histogram,
          (c: Float64Array) => bollinger(c, 4).upper,
          (c: Float64Array) => ewmaVolatility(c, 0.9),
          (c: Float64Array) => logMeanAbs(c, 4),
        ])
          expect(of(cut)).toEqual(of(x).slice(0, cut.length))
      }),
    ))

  it('does not drift: after 500,000 candles the last mean and deviation are exact to 1e-9', () => {
    const random = createRandom(7)
    const x = new Float64Array(500_000)
    let price = 30_000
    for (let i = 0; i < x.length; i++) {
      price *= Math.exp((i % 1000 === 0 ? 0.05 : 0.0005) * random.normal())
      x[i] = price
    }
    const window = x.slice(-20)
    const { mean, std } = rollingMoments(x, 20)
    expect(close(last(mean), meanOf(window))).toBe(true)
    expect(Math.abs(last(std) / stdOf(window) - 1)).toBeLessThan(1e-9)
    expect(Math.abs(last(sma(x, 20)) / meanOf(window) - 1)).toBeLessThan(1e-9)
  })
})
