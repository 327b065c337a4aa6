import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargeFunding, type FundingHistory, type FundingRecord } from './funding-charges.ts'

const HOUR = 3_600_000
const at = (hour: number) => hour * HOUR
const record = (hour: number, mark: number | null, rate: number): FundingRecord => ({ timeMs: at(hour), mark, rate })
const history = (more: Partial<FundingHistory> = {}): FundingHistory => ({
  records: [record(8, 30_000, 0.0001), record(16, 30_300, -0.00005), record(24, 29_900, 0.00023)],
  known: [{ fromMs: 0, untilMs: at(24) }],
  openAt: () => 20_000,
  ...more,
})
const held = (from: number, until: number, size: number) => ({ fromMs: at(from), untilMs: at(until), size })

describe('funding of a position', () => {
  it('is −1.50, +0.7575 and −3.4385 for 0.5 long, together −4.181; short it is received', () => {
    const { charges, received, assumedRatio, mayBeJudged } = chargeFunding([held(1, 24, 0.5)], history())
    expect(charges.map(({ timeMs }) => timeMs / HOUR)).toEqual([8, 16, 24])
    for (const [k, cash] of [-1.5, 0.7575, -3.4385].entries()) expect(charges[k]!.received).toBeCloseTo(cash, 10)
    expect(received).toBeCloseTo(-4.181, 10)
    expect([assumedRatio, mayBeJudged]).toEqual([0, true])
    expect(chargeFunding([held(1, 24, -0.5)], history()).received).toBeCloseTo(4.181, 10)
  })

  it('reversed at 08:00 pays as the long that it was, and receives as the short that it is', () => {
    const { charges } = chargeFunding([held(1, 8, 0.5), held(8, 24, -0.5)], history())
    expect(charges.map(({ received }) => Math.round(received * 1e6) / 1e6)).toEqual([-1.5, -0.7575, 3.4385])
  })

  it('entered at a settlement takes no part in it, nor does an account that holds nothing', () => {
    expect(chargeFunding([held(8, 15, 0.5)], history()).charges).toEqual([])
    expect(chargeFunding([held(1, 24, 0)], history())).toMatchObject({ charges: [], received: 0, assumedRatio: 0 })
  })

  it('takes the open where the record has no mark, and stamps that are some milliseconds late to the minute', () => {
    const late = { ...record(8, null, 0.0001), timeMs: at(8) + 9 }
    const { charges } = chargeFunding([held(1, 8, 0.5)], history({ records: [late] }))
    expect(charges).toEqual([{ timeMs: at(8), received: -1, isAssumed: false }])
  })

  it('settles contracts of 4 hours at their own times', () =>
    expect(
      chargeFunding([held(0, 8, 1)], history({ records: [record(4, 100, 0.01), record(8, 100, 0.01)] })).received,
    ).toBeCloseTo(-2, 12))
})

describe('funding that is not known', () => {
  /** Known to 16:00 of the first day and from 16:00 of the second; 24:00 and 32:00 lie between, 40:00 is known and 0. */
  const gap = history({
    records: [record(8, 30_000, 0.0001), record(16, 30_300, -0.00005)],
    known: [
      { fromMs: 0, untilMs: at(16) },
      { fromMs: at(40), untilMs: at(80) },
    ],
  })

  it.each([0.5, -0.5])('costs a position of %d one ten-thousandth at 24:00 and 32:00, 1.00 each', (size) => {
    const { charges, assumedRatio, mayBeJudged } = chargeFunding([held(10, 50, size)], gap)
    expect(charges.filter(({ isAssumed }) => isAssumed)).toEqual([
      { timeMs: at(24), received: -1, isAssumed: true },
      { timeMs: at(32), received: -1, isAssumed: true },
    ])
    expect(charges).toHaveLength(3)
    expect([assumedRatio, mayBeJudged]).toEqual([24 / 40, false])
  })

  it('lets a result be judged up to 5 % of the held time', () => {
    const known = (until: number) => history({ records: [], known: [{ fromMs: 0, untilMs: at(until) }] })
    expect(chargeFunding([held(0, 100, 1)], known(95)).mayBeJudged).toBe(true)
    expect(chargeFunding([held(0, 100, 1)], known(94)).mayBeJudged).toBe(false)
  })
})

describe('funding as it is always', () => {
  const rates = fc.array(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { minLength: 3, maxLength: 12 })
  const recordsOf = (of: readonly number[]) => of.map((rate, k) => record(8 * (k + 1), 100, rate))
  const knownOf = (of: readonly number[]) => [{ fromMs: 0, untilMs: at(8 * of.length) }]

  it('is what the other side receives, where rates are known', () =>
    fc.assert(
      fc.property(rates, fc.double({ min: 0.01, max: 100, noNaN: true }), (of, size) => {
        const all = history({ records: recordsOf(of), known: knownOf(of) })
        const span = 8 * of.length
        const long = chargeFunding([held(0, span, size)], all).received
        expect(long + chargeFunding([held(0, span, -size)], all).received).toBeCloseTo(0, 12)
      }),
    ))

  it('is the same however a stretch is cut', () =>
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 96 }), fc.integer({ min: 0, max: 96 }), (of, cut, knownUntil) => {
        const all = history({
          records: recordsOf(of).filter(({ timeMs }) => timeMs <= at(knownUntil)),
          known: [{ fromMs: 0, untilMs: at(knownUntil) }],
        })
        const whole = chargeFunding([held(0, 96, 2)], all)
        const parts = chargeFunding([held(0, cut, 2), held(cut, 96, 2)], all)
        expect(parts.charges).toEqual(whole.charges)
        expect(parts.assumedRatio).toBeCloseTo(whole.assumedRatio, 12)
      }),
    ))

  it('never credits anybody where nothing is known', () =>
    fc.assert(
      fc.property(fc.double({ min: -100, max: 100, noNaN: true }), fc.integer({ min: 0, max: 200 }), (size, until) => {
        const { received } = chargeFunding([held(0, until, size)], history({ records: [], known: [] }))
        expect(received).toBeLessThanOrEqual(0)
      }),
    ))
})
