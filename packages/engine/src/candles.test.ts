import { describe, expect, it } from 'vitest'
import { candlesFromRows, indexAtOrAfter, rowsFromCandles, sliceCandles } from './candles.ts'
import { signalOfDecision } from './decisions.ts'
import { createRandom } from './random.ts'

const rows = [
  [10, 1, 2, 0.5, 1.5, 7],
  [20, 1.5, 3, 1, 2, 8],
  [40, 2, 2, 2, 2, 0],
]

describe('candles', () => {
  const candles = candlesFromRows(rows)
  it('go to columns and back', () => {
    expect([...candles.close]).toEqual([1.5, 2, 2])
    expect(rowsFromCandles(candles)).toEqual(rows)
  })
  it('a slice is a view on the same memory', () => {
    const slice = sliceCandles(candles, 1)
    expect(rowsFromCandles(slice)).toEqual(rows.slice(1))
    expect(slice.open.buffer).toBe(candles.open.buffer)
  })
  it('the first candle at or after 0, 20, 21 and 41 is 0, 1, 2 and none', () =>
    expect([0, 20, 21, 41].map((ts) => indexAtOrAfter(candles, ts))).toEqual([0, 1, 2, 3]))
})

describe('decisions', () => {
  it('codes read as signals; CLOSE as HOLD', () =>
    expect([1, -1, 0, 2].map(signalOfDecision)).toEqual(['BUY', 'SELL', 'HOLD', 'HOLD']))
})

describe('random', () => {
  it('the same seed gives the same stream, another seed another one', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed).next)
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)).not.toEqual(draw(2))
  })
  it('fills with what as many single draws would give, and goes on from there', () => {
    const [one, other] = [createRandom(9), createRandom(9)]
    const filled = new Int32Array(50)
    one.fillBelow(filled, 1000)
    expect([...filled]).toEqual(Array.from(filled, () => other.below(1000)))
    expect(one.next()).toBe(other.next())
  })
  it('100,000 normals have mean 0 and deviation 1, uniforms lie in [0, 1) around ½', () => {
    const random = createRandom(3)
    const normals = Array.from({ length: 100_000 }, random.normal)
    const mean = normals.reduce((a, b) => a + b, 0) / normals.length
    const variance = normals.reduce((a, b) => a + (b - mean) ** 2, 0) / normals.length
    expect(Math.abs(mean)).toBeLessThan(0.015)
    expect(Math.abs(variance - 1)).toBeLessThan(0.02)
    const uniforms = Array.from({ length: 100_000 }, random.next)
    expect(uniforms.every((u) => u >= 0 && u < 1)).toBe(true)
    expect(Math.abs(uniforms.reduce((a, b) => a + b, 0) / uniforms.length - 0.5)).toBeLessThan(0.005)
    expect(new Set(Array.from({ length: 200 }, () => random.below(3)))).toEqual(new Set([0, 1, 2]))
  })
})
