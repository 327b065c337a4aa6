import { describe, expect, it } from 'vitest'
import { homeRange, priceLimits } from './price-range.ts'

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
