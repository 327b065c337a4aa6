import { expect, it } from 'vitest'
import { INDICATORS, type Indicator, indicatorLines as linesWith, lineValue } from './indicator-lines.ts'
import { linesOf } from './more-indicators.ts'

const close = Float64Array.from({ length: 60 }, (_, i) => 100 + i)
/** Each candle reaches one below and one above its close. */
const candles = { close, high: close.map((c) => c + 1), low: close.map((c) => c - 1), volume: close.map(() => 2) }
const indicatorLines = (of: typeof candles, shown: readonly Indicator[]) => linesWith(of, shown, linesOf)

it('has EMA 20 from the 20th candle on and EMA 50 from the 50th', () => {
  const [fast, slow] = indicatorLines(candles, ['ema'])
  expect([fast?.values[18], fast?.values[19]]).toEqual([Number.NaN, 109.5])
  expect([slow?.values[48], slow?.values[49]]).toEqual([Number.NaN, 124.5])
})

it('has the lines of what is chosen only, always in the same order', () => {
  expect(indicatorLines(candles, [])).toEqual([])
  expect(indicatorLines(candles, ['rsi', 'bollinger']).map(({ id }) => id)).toEqual([
    'bollinger_upper',
    'bollinger_middle',
    'bollinger_lower',
    'rsi',
  ])
})

it('the RSI of a price that only rises is 100', () => expect(indicatorLines(candles, ['rsi'])[0]?.values[14]).toBe(100))

it('has hand-worked values of a price that rises by 1 a candle', () => {
  const last = (...shown: Indicator[]) => indicatorLines(candles, shown).map(({ id, values }) => [id, values[59]])
  // The mean of 110 … 159; 200 candles are not there.
  expect(last('sma')).toEqual([
    ['sma_fast', 134.5],
    ['sma_slow', Number.NaN],
  ])
  // Closes 140 … 159.
  expect(last('donchian')).toEqual([
    ['donchian_upper', 160],
    ['donchian_lower', 139],
  ])
  // An EMA lags behind a ramp by (period − 1) ÷ 2: 12.5 − 5.5.
  expect(last('macd')[0]![1]).toBeCloseTo(7, 9)
  // 159 in 145 … 160: 14 ÷ 15.
  expect(last('stochastic')[0]![1]).toBeCloseTo(100 * (14 / 15), 9)
  expect(last('atr', 'adx').map(([, value]) => value)).toEqual([2, 100, 50, 0].map((v) => expect.closeTo(v, 9)))
  // The newest is 9.5 from the mean, with a mean deviation of 5.
  expect(last('cci')[0]![1]).toBeCloseTo(9.5 / (0.015 * 5), 9)
  expect(last('mfi')[0]![1]).toBe(100)
})

it('gives each oscillator a pane of its own, and the lines over the prices none', () => {
  const lines = indicatorLines(candles, INDICATORS)
  const panes = lines.flatMap(({ pane }) => (pane === null ? [] : [pane.id]))
  expect([...new Set(panes)]).toEqual(
    INDICATORS.filter((one) => !['ema', 'sma', 'bollinger', 'donchian'].includes(one)),
  )
  expect(lineValue(lines.find(({ id }) => id === 'rsi')!, 55.55, 0.1)).toBe('55.6')
  expect(lineValue(lines.find(({ id }) => id === 'macd')!, 12.34, 0.1)).toBe('12.3')
})

it('draws averages alone while the others are on their way', () =>
  expect(linesWith(candles, ['ema', 'rsi'], null).map(({ id }) => id)).toEqual(['ema_fast', 'ema_slow']))
