import { describe, expect, it } from 'vitest'
import { indexAtOrBefore } from './candle-index.ts'
import { candlesPerMarker, markerGapPx, markersBetween, thinMarkers } from './primitives/markers.ts'
import { type MarkedTrade, markersOfFills, markersOfTrades, type TradeMarker } from './trade-markers.ts'

const times = [0, 10, 20, 30, 40]
const trade = (over: Partial<MarkedTrade>): MarkedTrade => ({
  side: 'long',
  entryTime: 10,
  exitTime: 30,
  entryPrice: 100,
  exitPrice: 110,
  netPnL: 9,
  ...over,
})

describe('the candle of a time', () => {
  it('is the one that opened at it or last before it', () => {
    expect(indexAtOrBefore(times, 20)).toBe(2)
    expect(indexAtOrBefore(times, 29)).toBe(2)
    expect(indexAtOrBefore(times, 999)).toBe(4)
  })
  it('is -1 before the first', () => expect(indexAtOrBefore(times, -1)).toBe(-1))
})

it('fills stand on their candles, oldest first, and not before the first one', () => {
  const fill = (t: number) => ({ t, price: 100, kind: 'long_entry' as const })
  expect(markersOfFills([fill(35), fill(10), fill(-1)], times).map(({ index }) => index)).toEqual([1, 3])
})

describe('markers of trades', () => {
  it('a winning long is an entry below and a profitable exit', () => {
    expect(markersOfTrades([trade({})], null, times)).toEqual([
      { kind: 'long_entry', index: 1, price: 100, weight: 9 },
      { kind: 'profit_exit', index: 3, price: 110, weight: 9, trade: { index: 1, price: 100, netPnL: 9 } },
    ])
  })

  it('fees can turn a rise into a loss: the net result decides the colour', () => {
    expect(markersOfTrades([trade({ netPnL: -0.1 })], null, times)[1]!.kind).toBe('loss_exit')
  })

  it('an open position has an entry and no exit', () => {
    const markers = markersOfTrades([], { side: 'short', entryTime: 35, entryPrice: 90 }, times)
    expect(markers.map((m) => [m.kind, m.index])).toEqual([['short_entry', 3]])
  })

  it('a fill before the drawn candles is left out, its exit stays', () => {
    expect(markersOfTrades([trade({ entryTime: -5 })], null, times).map((m) => m.kind)).toEqual(['profit_exit'])
  })
})

describe('thinning', () => {
  const at = (index: number, weight: number, kind: TradeMarker['kind'] = 'long_entry'): TradeMarker => ({
    kind,
    index,
    weight,
    price: 1,
  })

  it('draws all where a candle is wider than a marker', () => expect(candlesPerMarker(12, 9)).toBe(1))
  it('shares one marker among 8 candles of 1.2 px for a gap of 9 px', () => expect(candlesPerMarker(1.2, 9)).toBe(8))

  it('leaves 20 px between markers where candles are narrower than 0.8 px', () => {
    expect(markerGapPx(0.3)).toBe(20)
    expect(markerGapPx(1.3)).toBe(9)
  })

  it('keeps the largest trade of a group', () => {
    expect(thinMarkers([at(0, 1), at(3, 5), at(7, 2), at(8, 1)], 8)).toEqual([at(3, 5), at(8, 1)])
  })

  it('never lets an entry hide an exit', () => {
    expect(thinMarkers([at(0, 1), at(1, 9, 'loss_exit')], 8)).toHaveLength(2)
  })

  it('finer groups keep every marker that coarser ones kept', () => {
    const all = Array.from({ length: 200 }, (_, i) => at(i, (i * 7919) % 101))
    const coarse = thinMarkers(all, 16)
    const fine = new Set(thinMarkers(all, 4))
    expect(coarse.every((marker) => fine.has(marker))).toBe(true)
  })

  it('cuts to the visible candles, both ends included', () => {
    expect(markersBetween([at(1, 1), at(2, 1), at(5, 1), at(9, 1)], 2, 5).map((m) => m.index)).toEqual([2, 5])
  })
})
