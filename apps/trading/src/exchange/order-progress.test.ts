import type { VenueOrder } from '@shapecast/venues/live-trading'
import { describe, expect, it } from 'vitest'
import { unitsOf } from '../ledger/money.ts'
import type { OrderRow } from '../ledger/tables.ts'
import { nextLook, progressOf } from './order-progress.ts'

type Row = Parameters<typeof progressOf>[0]
const OPEN: Row = { status: 'open', filled: unitsOf(2), average: 101, venueOrderId: '17', closedAtMs: null }
const SAID: VenueOrder = {
  id: '17',
  clientOrderId: 'c',
  symbol: 'BTCUSDT',
  side: 'buy',
  status: 'open',
  quantity: 5,
  filled: 3,
  average: 100,
  price: 100,
  fees: [],
  timestampMs: 1,
}
const after = (row: Partial<Row>, said: Partial<VenueOrder>) =>
  progressOf({ ...OPEN, ...row }, { ...SAID, ...said }, 900)

describe('what an order is after the exchange has told of it', () => {
  it('grows with its fills, and does not shrink by old news', () => {
    expect(after({}, {})).toMatchObject({ status: 'open', filled: unitsOf(3), average: 100, closedAtMs: null })
    expect(after({}, { filled: 1, average: 99 })).toMatchObject({ filled: unitsOf(2), average: 101 })
    expect(after({}, { filled: 2, average: 102 })).toMatchObject({ filled: unitsOf(2), average: 102 })
  })

  it('keeps what the exchange leaves out: the average, and its own id', () => {
    expect(after({}, { average: null, id: '' })).toMatchObject({ filled: unitsOf(3), average: 101, venueOrderId: '17' })
    expect(after({ venueOrderId: null }, { id: '18' })).toMatchObject({ venueOrderId: '18' })
  })

  it('stays at its end, whatever comes late, and keeps the time of it', () => {
    const ended = { status: 'cancelled', closedAtMs: 500 } as const
    for (const status of ['open', 'unknown', 'rejected'] as const)
      expect(after(ended, { status })).toMatchObject({ status: 'cancelled', closedAtMs: 500 })
    // A fill that was under way when it was cancelled.
    expect(after(ended, { status: 'filled', filled: 5 })).toMatchObject({
      status: 'filled',
      filled: unitsOf(5),
      closedAtMs: 500,
    })
  })

  it('keeps the time of a refusal, however often it is reported', () =>
    expect(after({ status: 'rejected', closedAtMs: 500 }, { status: 'rejected' }).closedAtMs).toBe(500))

  it.each([
    ['sending', 'open', 'open', null],
    ['sending', 'unknown', 'open', null],
    ['open', 'unknown', 'open', null],
    ['not_placed', 'open', 'open', null],
    ['open', 'canceled', 'cancelled', 900],
    ['open', 'filled', 'filled', 900],
    ['sending', 'rejected', 'rejected', 900],
    ['open', 'expired', 'expired', 900],
  ] as const)('that was %s and is said to be %s: %s, ended at %s', (before, said, status, closedAtMs) =>
    expect(after({ status: before }, { status: said })).toMatchObject({ status, closedAtMs }),
  )

  it('says why only where it was not the owner who ended it', () => {
    expect(after({}, { status: 'expired' }).statusReason).toContain('could not fill')
    expect(after({}, { status: 'rejected' }).statusReason).toContain('refused')
    expect(after({}, { status: 'canceled' }).statusReason).toBeNull()
  })
})

describe('when an order is looked up next', () => {
  const HOUR = 3_600_000
  const waits = (status: OrderRow['status'], looks: number, hasAllFills = false, ageMs = 0) => {
    const next = nextLook({ status, createdAtMs: 1_000_000, looks, hasAllFills }, 1_000_000 + ageMs)
    return next === null ? null : (next - 1_000_000 - ageMs) / 1000
  }

  it.each([
    ['sending', [2, 4, 8, 16, 32, 32]],
    ['open', [5, 10, 20, 20, 20, 20]],
    ['cancelled', [2, 4, 8, 16, 32, 64]],
    ['not_placed', [60, 120, 240, 480, 960, 1920]],
  ] as const)('%s: after seconds that double while there is no news', (status, seconds) =>
    expect(seconds.map((_, looks) => waits(status, looks))).toEqual(seconds),
  )

  it('doubles eight times at most for trades that are not told, six times for what was never placed', () => {
    expect([waits('filled', 8), waits('filled', 20)]).toEqual([512, 512])
    expect([waits('rejected', 6), waits('rejected', 20)]).toEqual([3840, 3840])
  })

  it('never again where all its trades are known, or 24 hours after an intent that came to nothing', () => {
    for (const status of ['filled', 'cancelled', 'expired'] as const) expect(waits(status, 0, true)).toBeNull()
    for (const status of ['not_placed', 'rejected'] as const)
      expect([waits(status, 0, false, 24 * HOUR - 1), waits(status, 0, false, 24 * HOUR)]).toEqual([60, null])
    expect(waits('open', 0, true, 90 * HOUR)).toBe(5)
  })
})
