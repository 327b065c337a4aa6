import { expect, it } from 'vitest'
import { candleAt, lineWords, pressed, timeAt } from './drawn-lines.ts'
import { beyond } from './trend-lines-primitive.ts'

/** Hours 0, 1, 2 and, after a gap, 10. */
const HOUR = 3_600_000
const clock = { times: Float64Array.from([0, HOUR, 2 * HOUR, 10 * HOUR]), count: 4, stepMs: HOUR }

it('knows the candle of a time, also before the first and after the last one', () => {
  expect([0, 1.5, 12, -2].map((hours) => candleAt(clock, hours * HOUR))).toEqual([0, 1.5, 5, -2])
  expect([0, 3, 5, -1].map((index) => timeAt(clock, index))).toEqual([0, 10 * HOUR, 12 * HOUR, null])
  expect(timeAt({ ...clock, count: 0 }, 0)).toBeNull()
})

it('draws a level by one press, a trend line by two, whichever comes first', () => {
  const [a, b] = [
    { t: 0, price: 1 },
    { t: HOUR, price: 2 },
  ]
  expect(pressed({ kind: 'level' }, a)).toEqual({ line: { kind: 'level', price: 1 } })
  expect(pressed({ kind: 'trend', from: null }, b)).toEqual({ drawing: { kind: 'trend', from: b } })
  for (const [first, second] of [
    [a, b],
    [b, a],
  ] as const)
    expect(pressed({ kind: 'trend', from: first }, second)).toEqual({ line: { kind: 'trend', from: a, to: b } })
  // Two prices of one candle are no line.
  expect(pressed({ kind: 'trend', from: a }, { t: 0, price: 9 })).toEqual({ drawing: { kind: 'trend', from: a } })
})

it('goes on through its second spot to the right edge', () => {
  expect(beyond({ x: 0, y: 0 }, { x: 10, y: 5 }, 30)).toEqual({ x: 30, y: 15 })
  expect(beyond({ x: 0, y: 0 }, { x: 40, y: 5 }, 30)).toEqual({ x: 40, y: 5 })
})

it('names a line', () => {
  expect(lineWords({ kind: 'level', price: 60_000 }, 0.1)).toBe('line at 60,000.0')
  const spot = { t: Date.UTC(2024, 10, 20, 14), price: 1 }
  expect(lineWords({ kind: 'trend', from: spot, to: spot }, 0.1)).toBe('trend line from 20 Nov, 14:00 UTC')
})
