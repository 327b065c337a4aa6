import { candlesFromRows } from '@shapecast/engine/candles'
import { expect, it } from 'vitest'
import { indicatorsAtEnd } from './indicators.ts'

const rising = (count: number) =>
  candlesFromRows(Array.from({ length: count }, (_, i) => [i * 60_000, i + 1, i + 1, i + 1, i + 1, 1]))

it('the indicators of closes 1 to 40 are a mean of 30.5 over the last 20, a deviation of √(399/12), an EMA 9.5 behind, and gains only', () => {
  const found = indicatorsAtEnd(rising(40))
  const deviation = Math.sqrt(399 / 12)
  expect(found.bollinger.middle).toBeCloseTo(30.5, 9)
  expect(found.bollinger.upper).toBeCloseTo(30.5 + 2 * deviation, 9)
  expect(found.bollinger.lower).toBeCloseTo(30.5 - 2 * deviation, 9)
  expect(found.zScore).toBeCloseTo(9.5 / deviation, 9)
  expect(found.ema.ema20).toBeCloseTo(30.5, 9)
  expect(found.rsi).toBe(100)
  expect(found.ultimateOscillator).toBeCloseTo(100, 9)
})

it('needs 29 candles and says how many there are', () => {
  expect(() => indicatorsAtEnd(rising(28))).toThrow('There are 28 candles; the indicators need at least 29.')
  expect(
    Object.values(indicatorsAtEnd(rising(29))).every((value) => typeof value === 'object' || Number.isFinite(value)),
  ).toBe(true)
})
