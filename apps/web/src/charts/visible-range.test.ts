import { describe, expect, it } from 'vitest'
import { followNew, isNearOldest, moveRange, panWithin, WHOLE_FRAME, wholeRange, zoomWithin } from './visible-range.ts'

type Range = ReturnType<typeof wholeRange>
const zoomRange = (range: Range, anchor: number, steps: number, count: number) =>
  zoomWithin(range, anchor, steps, WHOLE_FRAME.limits(count, 900))
const panRange = (range: Range, candles: number, count: number) => panWithin(range, candles, wholeRange(count))

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
    expect(panRange({ from: 10, to: 110 }, -50, 1000)).toEqual({ from: -1, to: 99 })
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

describe('when candles come', () => {
  it('older ones move the range with what it showed', () =>
    expect(moveRange({ from: 10, to: 60 }, 1000)).toEqual({ from: 1010, to: 1060 }))
  it('a new one moves the range where the last candle was in view', () =>
    expect(followNew({ from: 250, to: 306.5 }, 300, 1)).toEqual({ from: 251, to: 307.5 }))
  it('a new one leaves somebody alone who looks at the past', () =>
    expect(followNew({ from: 50, to: 120 }, 300, 1)).toEqual({ from: 50, to: 120 }))
})

it('asks for older candles while half a screen is left', () => {
  expect(isNearOldest({ from: 60, to: 160 })).toBe(false)
  expect(isNearOldest({ from: 49, to: 149 })).toBe(true)
})
