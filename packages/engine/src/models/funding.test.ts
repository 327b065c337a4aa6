import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runBacktest } from '../backtest.ts'
import { backtestSettings } from '../backtest-settings.ts'
import { emptyCandles } from '../candles.ts'
import { DECISION } from '../decisions.ts'
import { type FundingSeries, fundingReceived } from './funding.ts'

const HOUR = 3_600_000
const NO_MARK = Number.NaN
/** [hour, mark, rate] of each settlement, and what is known, in hours. */
const series = (records: [number, number, number][], known: [number, number][]): FundingSeries => ({
  ts: Float64Array.from(records, ([hour]) => hour * HOUR),
  mark: Float64Array.from(records, ([, mark]) => mark),
  rate: Float64Array.from(records, ([, , rate]) => rate),
  known: known.map(([from, until]) => ({ fromMs: from * HOUR, untilMs: until * HOUR })),
})
const THREE: [number, number, number][] = [
  [8, 30_000, 0.0001],
  [16, 30_300, -0.00005],
  [24, 29_900, 0.00023],
]

/** A run of hourly candles at 20,000 that asks, at the opens of hours, for what `orders` say. */
function run(orders: Record<number, number>, funding: FundingSeries | null, hours = 60, quantity = 0.5) {
  const candles = emptyCandles(hours)
  for (const column of [candles.open, candles.high, candles.low, candles.close]) column.fill(20_000)
  candles.ts.set(Float64Array.from({ length: hours }, (_, hour) => hour * HOUR))
  const decisions = new Int8Array(hours)
  for (const [hour, code] of Object.entries(orders)) decisions[Number(hour) - 1] = code
  const settings = backtestSettings({
    market: 'futures',
    timeframe: '1h',
    initialBalance: 1_000_000,
    leverage: 1,
    sizing: { kind: 'fixed', quantity },
  })
  return runBacktest(candles, decisions, settings, funding)
}
const paid = (orders: Record<number, number>, funding: FundingSeries | null, quantity = 0.5) =>
  run(orders, funding, 60, quantity).trades.map((trade) => trade.funding)

describe('funding of a position', () => {
  const known = series(THREE, [[0, 60]])

  it('is −1.50, +0.7575 and −3.4385 for 0.5 long, together −4.181; short it is received', () => {
    expect(paid({ 1: DECISION.BUY, 8: DECISION.CLOSE }, known)[0]).toBeCloseTo(-1.5, 10)
    expect(paid({ 8: DECISION.BUY, 16: DECISION.CLOSE }, known)[0]).toBeCloseTo(0.7575, 10)
    expect(paid({ 16: DECISION.BUY, 24: DECISION.CLOSE }, known)[0]).toBeCloseTo(-3.4385, 10)
    const long = run({ 1: DECISION.BUY, 30: DECISION.CLOSE }, known)
    expect(long.finalEquity).toBeCloseTo(1_000_000 - 4.181, 8)
    expect(paid({ 1: DECISION.SELL, 30: DECISION.CLOSE }, known)[0]).toBeCloseTo(4.181, 10)
  })

  it('reversed at 08:00 pays as the long that it was, and receives as the short that it is', () => {
    const trades = paid({ 1: DECISION.BUY, 8: DECISION.SELL, 30: DECISION.CLOSE }, known)
    expect(trades.map((each) => Math.round(each * 1e6) / 1e6)).toEqual([-1.5, -0.7575 + 3.4385])
  })

  it('entered at a settlement takes no part in it', () =>
    expect(paid({ 8: DECISION.BUY, 15: DECISION.CLOSE }, known)).toEqual([0]))

  it('goes by the open where the record has no mark', () =>
    expect(paid({ 1: DECISION.BUY, 9: DECISION.CLOSE }, series([[8, NO_MARK, 0.0001]], [[0, 60]]))[0]).toBeCloseTo(
      -1,
      12,
    ))

  it('of a contract of 4 hours is settled at its own times', () => {
    const every4 = series([[4, 100, 0.01], [8, 100, 0.01]], [[0, 60]]) // biome-ignore format: one pair a settlement
    expect(paid({ 1: DECISION.BUY, 9: DECISION.CLOSE }, every4, 1)[0]).toBeCloseTo(-2, 12)
  })
})

describe('funding that is not known', () => {
  /** Known to 16:00 of the first day and after 32:00; 24:00 and 32:00 lie between, 40:00 is known and 0. */
  const gap = series(THREE.slice(0, 2), [
    [0, 16],
    [32, 60],
  ])

  it.each([
    ['long', DECISION.BUY, 0.7575],
    ['short', DECISION.SELL, -0.7575],
  ])('costs a %s one ten-thousandth at 24:00 and at 32:00, 1.00 each, beside what is known', (_side, code, known) => {
    const { trades, fundingAssumed } = run({ 10: code, 50: DECISION.CLOSE }, gap)
    expect(trades[0]!.funding).toBeCloseTo(known - 2, 10)
    expect(fundingAssumed).toBe(16 / 40)
  })

  it('is not charged at all without any rates', () => {
    expect(run({ 1: DECISION.BUY, 50: DECISION.CLOSE }, null)).toMatchObject({ fundingAssumed: null, finalEquity: 1e6 })
  })

  it('reverses at 08:00 across a gap to the cent: −1.50 as a long; −1.00, then +3.44, as a short', () => {
    const missing = series(
      [THREE[0]!, THREE[2]!],
      [
        [0, 8],
        [16, 60],
      ],
    )
    const trades = paid({ 1: DECISION.BUY, 8: DECISION.SELL, 30: DECISION.CLOSE }, missing)
    expect(trades.map((each) => each.toFixed(2))).toEqual(['-1.50', (-1 + 3.4385).toFixed(2)])
  })
})

describe('funding as it is always', () => {
  const rates = fc.array(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { minLength: 1, maxLength: 7 })
  const recordsOf = (of: readonly number[]) => of.map((rate, k): [number, number, number] => [8 * (k + 1), 100, rate])

  it('is what the other side receives, where rates are known', () =>
    fc.assert(
      fc.property(rates, (of) => {
        const all = series(recordsOf(of), [[0, 60]])
        const [long] = paid({ 1: DECISION.BUY, 59: DECISION.CLOSE }, all)
        const [short] = paid({ 1: DECISION.SELL, 59: DECISION.CLOSE }, all)
        expect(long! + short!).toBeCloseTo(0, 12)
      }),
    ))

  it('never credits anybody where nothing is known', () =>
    fc.assert(
      fc.property(fc.constantFrom(DECISION.BUY, DECISION.SELL), fc.integer({ min: 2, max: 59 }), (code, until) => {
        expect(paid({ 1: code, [until]: DECISION.CLOSE }, series([], []))[0]).toBeLessThanOrEqual(0)
      }),
    ))

  it('is the same however a stretch is cut', () =>
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 60 }), (of, cut, until) => {
        const records = recordsOf(of).filter(([hour]) => hour <= until)
        const all = series(records, [[0, until]])
        const between = (from: number, to: number) =>
          fundingReceived(all, { fromMs: from * HOUR, untilMs: to * HOUR }, 2, 100)
        expect(between(0, cut) + between(cut, 90)).toBeCloseTo(between(0, 90), 12)
      }),
    ))
})
