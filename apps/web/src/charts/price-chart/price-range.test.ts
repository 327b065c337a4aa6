import { describe, expect, it } from 'vitest'
import { followNew, homeRange, isNearOldest, moveRange, priceLimits } from './price-range.ts'

describe('what the chart shows at first', () => {
  it('is the newest 100 of 300 candles and the future zone on a wide screen', () =>
    expect(homeRange(300, 100, 930)).toEqual({ from: 199.5, to: 306.5 }))
  it('is as many as can be told apart on a narrow one: 235 px hold 46', () =>
    expect(homeRange(300, 100, 235)).toEqual({ from: 253.5, to: 306.5 }))
  it('is all of them where there are few, none wider than 15 px with its gap', () =>
    expect(homeRange(5, 100, 930)).toEqual({ from: 11.5 - 62, to: 11.5 }))
})

it('reaches from the first candle to the end of the zone', () =>
  expect(priceLimits(300, 930).whole).toEqual({ from: -0.5, to: 306.5 }))

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
