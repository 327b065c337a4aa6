import { describe, expect, it } from 'vitest'
import { panRange, wholeRange, zoomRange } from './visible-range.ts'

const span = (r: { from: number; to: number }) => r.to - r.from

describe('zooming', () => {
  it('goes in by 1.1 and leaves the candle under the pointer where it is', () => {
    const next = zoomRange({ from: 100, to: 210 }, 155, 1, 1000)
    expect(span(next)).toBeCloseTo(100)
    expect((155 - next.from) / span(next)).toBeCloseTo(0.5)
  })

  it('two steps in and two out come back to the same range', () => {
    const start = { from: 300, to: 500 }
    const back = zoomRange(zoomRange(start, 350, 2, 1000), 350, -2, 1000)
    expect(back.from).toBeCloseTo(300)
    expect(back.to).toBeCloseTo(500)
  })

  it('stops at 1/50 of the data: 20 of 1000 candles', () => {
    expect(span(zoomRange({ from: 400, to: 600 }, 500, 100, 1000))).toBeCloseTo(20)
  })

  it('stops at the whole of the data', () => {
    expect(zoomRange({ from: 400, to: 600 }, 500, -100, 1000)).toEqual(wholeRange(1000))
  })
})

describe('panning', () => {
  it('moves to newer candles by as many', () => {
    expect(panRange({ from: 100, to: 200 }, 25, 1000)).toEqual({ from: 125, to: 225 })
  })

  it('keeps its span at the oldest candle', () => {
    expect(panRange({ from: 10, to: 110 }, -50, 1000)).toEqual({ from: -0.5, to: 99.5 })
  })

  it('keeps its span at the newest candle', () => {
    const range = panRange({ from: 900, to: 1000 }, 500, 1000)
    expect(range.to).toBe(wholeRange(1000).to)
    expect(span(range)).toBeCloseTo(100)
  })
})

it('one candle makes a range that is not empty', () => {
  expect(span(panRange({ from: 0, to: 10 }, 0, 1))).toBeGreaterThan(1)
})
