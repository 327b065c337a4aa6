import { expect, it } from 'vitest'
import { indicatorLines } from './indicator-lines.ts'

const close = Float64Array.from({ length: 60 }, (_, i) => 100 + i)

it('has EMA 20 from the 20th candle on and EMA 50 from the 50th', () => {
  const [fast, slow] = indicatorLines(close, ['ema'])
  expect([fast?.values[18], fast?.values[19]]).toEqual([Number.NaN, 109.5])
  expect([slow?.values[48], slow?.values[49]]).toEqual([Number.NaN, 124.5])
})

it('has the lines of what is chosen only, always in the same order', () => {
  expect(indicatorLines(close, [])).toEqual([])
  expect(indicatorLines(close, ['rsi', 'bollinger']).map(({ id }) => id)).toEqual([
    'bollinger_upper',
    'bollinger_middle',
    'bollinger_lower',
    'rsi',
  ])
})

it('the RSI of a price that only rises is 100', () => expect(indicatorLines(close, ['rsi'])[0]?.values[14]).toBe(100))
