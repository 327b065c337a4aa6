import { describe, expect, it } from 'vitest'
import type { PriceCanvas } from '../price-scene.ts'
import { drawValueLine } from './draw-value-line.ts'

/** What a line of `values` asks of the canvas with so many pixels a candle. */
function drawn(values: number[], spacingPx: number, dash: readonly number[] = []) {
  const calls: string[] = []
  const dashes: (readonly number[])[] = []
  const widths: number[] = []
  const context = {
    set lineWidth(px: number) {
      widths.push(px)
    },
    beginPath: () => calls.push('begin'),
    stroke: () => calls.push('stroke'),
    setLineDash: (given: readonly number[]) => dashes.push(given),
    moveTo: (x: number, y: number) => calls.push(`move ${x},${y}`),
    lineTo: (x: number, y: number) => calls.push(`line ${x},${y}`),
  }
  const canvas = {
    context,
    x: (index: number) => index * spacingPx,
    y: (price: number) => price,
    spacingPx,
    from: 0,
    to: values.length - 1,
  } as unknown as PriceCanvas
  drawValueLine(canvas, Float64Array.from(values), { color: '#fff', widthPx: 1.5, dash })
  return { calls, dashes, widths }
}

describe('a line of values', () => {
  it('is broken where a value is not known', () =>
    expect(drawn([1, 2, Number.NaN, 4, 5], 8).calls).toEqual([
      'begin',
      'move 0,1',
      'line 8,2',
      'move 24,4',
      'line 32,5',
      'stroke',
    ]))
  it('has the canvas cut its dashes where candles are wide', () =>
    expect(drawn([1, 2, 3], 8, [5, 3]).dashes[0]).toEqual([5, 3]))
  it('cuts them itself where candles are narrow: at 2 px, 5 and 3 are three segments on and two off', () => {
    const { calls, dashes } = drawn([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 2, [5, 3])
    expect(dashes[0]).toEqual([])
    const kinds = calls.filter((call) => /^(move|line)/.test(call)).map((call) => call.slice(0, 4))
    // The first value only begins the line; then 1 and 2 of the first five are drawn, 0 1 2 of the others.
    expect(kinds.join(' ')).toBe('move line line move move line line line move move line')
  })
  it('is as wide as it should be where candles are wide, and 1 px where they are narrow', () => {
    expect(drawn([1, 2, 3], 8).widths).toEqual([1.5])
    expect(drawn([1, 2, 3], 5).widths).toEqual([1])
  })
  it('takes the last known value of each group where candles are narrower than a pixel', () =>
    expect(drawn([1, 2, 3, Number.NaN, 5, 6], 0.5).calls.filter((call) => /^(move|line)/.test(call))).toEqual([
      'move 0.5,2',
      'line 1,3',
      'line 2.5,6',
    ]))
  it('is handed over in pieces where it has many corners', () => {
    const { calls } = drawn(
      Array.from({ length: 200 }, (_, i) => i),
      2,
    )
    expect(calls.filter((call) => call === 'stroke').length).toBeGreaterThan(3)
    expect(calls.filter((call) => call.startsWith('line'))).toHaveLength(199)
  })
})
