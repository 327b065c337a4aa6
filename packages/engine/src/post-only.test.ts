import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candlesFromRows } from './candles.ts'
import { feeOfSide, type PostOnlyOrder, postOnlyFill, savesByPosting } from './post-only.ts'

const MINUTE = 60_000
const order = (more: Partial<PostOnlyOrder> = {}): PostOnlyOrder => ({
  side: 1,
  close: 100.04,
  decidedAtMs: 10 * MINUTE,
  validMs: 3 * MINUTE,
  tickSize: 0.1,
  ...more,
})
/** Candles of a minute from the 10th on: open, high, low. */
const minutes = (...rows: [open: number, high: number, low: number][]) =>
  candlesFromRows(rows.map(([open, high, low], k) => [(10 + k) * MINUTE, open, high, low, open, 1]))
const fill = (of: PostOnlyOrder, candles: ReturnType<typeof minutes>) => postOnlyFill(of, candles, MINUTE, 5)

describe('a post-only order', () => {
  it('to buy at 100.04 rests at 100.0 and fills there when 99.9 is traded', () =>
    expect(fill(order(), minutes([100.1, 100.2, 100], [100.1, 100.2, 99.9]))).toEqual({
      by: 'maker',
      price: 100,
      timeMs: 11 * MINUTE,
    }))

  it('to sell at 100.04 rests at 100.1 and fills there when 100.2 is traded', () => {
    const found = fill(order({ side: -1 }), minutes([100, 100.1, 99], [100, 100.2, 99]))!
    expect([found.by, found.timeMs]).toEqual(['maker', 11 * MINUTE])
    expect(found.price).toBeCloseTo(100.1, 12)
  })

  it('takes at the first open after three minutes, 5 bps worse, when it is only touched', () => {
    const touched = minutes([100.1, 100.2, 100], [100.1, 100.2, 100], [100.1, 100.2, 100], [101, 102, 90])
    expect(fill(order(), touched)).toEqual({ by: 'taker', price: 101 * 1.0005, timeMs: 13 * MINUTE })
    const selling = minutes([99, 100.1, 99], [99, 100.1, 99], [99, 100.1, 99], [98, 110, 97])
    expect(fill(order({ side: -1 }), selling)).toEqual({ by: 'taker', price: 98 * 0.9995, timeMs: 13 * MINUTE })
  })

  it('stays at a price that is a whole tick', () =>
    expect(fill(order({ close: 0.3, tickSize: 0.1 }), minutes([0.4, 0.5, 0.2]))!.price).toBeCloseTo(0.3, 12))

  it('sees no candle before its decision, and none that reaches beyond its time', () => {
    expect(
      fill(order({ decidedAtMs: 11 * MINUTE, validMs: MINUTE }), minutes([100, 100, 90], [101, 101, 100])),
    ).toBeNull()
    expect(
      fill(order({ validMs: 1.5 * MINUTE }), minutes([101, 101, 100], [101, 101, 90], [102, 102, 90])),
    ).toMatchObject({
      by: 'taker',
      timeMs: 12 * MINUTE,
    })
  })

  it('takes after a gap that hides its time', () => {
    const later = candlesFromRows([[60 * MINUTE, 105, 106, 90, 105, 1]])
    expect(fill(order(), later)).toMatchObject({ by: 'taker', timeMs: 60 * MINUTE })
  })

  it('is not known before its time is over', () => expect(fill(order(), minutes([101, 101, 101]))).toBeNull())

  it('never fills as maker on less than a tick through, nor better than its limit', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(1 as const, -1 as const),
        fc.integer({ min: 500, max: 2_000_000 }),
        fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 4, maxLength: 8 }),
        fc.constantFrom(0.01, 0.1, 0.0001, 0.5),
        (side, ticks, moves, tickSize) => {
          const rows = moves.map((move, k) => {
            const reached = (ticks + move) * tickSize
            return [(10 + k) * MINUTE, reached, reached, reached, reached, 1]
          })
          const found = fill(order({ side, close: ticks * tickSize, tickSize }), candlesFromRows(rows))
          const first = moves.slice(0, 3).findIndex((move) => side * move <= -1)
          expect(found?.by).toBe(first >= 0 ? 'maker' : 'taker')
          if (first >= 0) expect(found!.price / (ticks * tickSize)).toBeCloseTo(1, 12)
        },
      ),
    ))
})

it.each([
  [2, 6, true],
  [3, 6, true],
  [2.1, 5.1, true],
  [3.1, 6, false],
  [6, 6, false],
])('pays with a maker fee of %d and a taker fee of %d bps: %s', (makerBps, takerBps, pays) =>
  expect(savesByPosting({ makerBps, takerBps })).toBe(pays),
)

it('charges 2 bps of a resting order and 6 of one that takes', () => {
  const fees = { makerBps: 2, takerBps: 6 }
  expect([feeOfSide(fees, 'maker'), feeOfSide(fees, 'taker')]).toEqual([0.0002, 0.0006])
})
