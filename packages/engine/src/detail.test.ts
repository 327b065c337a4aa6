import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runBacktest } from './backtest.ts'
import { backtestSettings } from './backtest-settings.ts'
import { type Candles, candlesFromRows } from './candles.ts'
import { DECISION } from './decisions.ts'
import { type DetailCandles, runWithDetail } from './detail.ts'

const HOUR = 3_600_000
const QUARTER = HOUR / 4
const settings = backtestSettings({
  market: 'futures',
  timeframe: '1h',
  initialBalance: 1000,
  leverage: 1,
  sizing: { kind: 'fixed', quantity: 1 },
  takeProfitPct: 2,
  stopLossPct: 2,
})
/** An entry at 100 at the open of 01:00; that hour reaches 97 and 103. */
const hours = candlesFromRows([
  [0, 100, 100, 100, 100, 1],
  [HOUR, 100, 103, 97, 100, 1],
  [2 * HOUR, 100, 101, 99, 100, 1],
])
/** Quarters of 01:00 by their lows and highs. */
const quarters = (...of: (readonly [number, number])[]): Candles =>
  candlesFromRows(of.map(([low, high], k) => [HOUR + k * QUARTER, 100, high, low, 100, 1]))
const run = (code: number, detail: DetailCandles | null) =>
  runBacktest(hours, Int8Array.of(code, 0, 0), settings, null, undefined, detail)
const exits = (code: number, candles: Candles) => {
  const { trades, bothReached } = run(code, new Map([[HOUR, candles]]))
  return [...trades.map(({ exitReason }) => exitReason), ...bothReached.map(({ isTold }) => isTold)]
}
const up = [99, 103] as const
const down = [97, 101] as const
const calm = [99, 101] as const

describe('a candle that reaches both stop and target', () => {
  it('is the stop where nothing smaller is stored, and is counted', () => {
    const { trades, bothReached } = run(DECISION.BUY, null)
    expect(trades).toMatchObject([{ exitReason: 'stop_loss', exitPrice: 98 }])
    expect(bothReached).toEqual([{ time: HOUR, isTold: false }])
  })

  it('is the one that its smaller candles reach first, long and short', () => {
    expect(exits(DECISION.BUY, quarters(calm, up, down, calm))).toEqual(['take_profit', true])
    expect(exits(DECISION.BUY, quarters(calm, down, up, calm))).toEqual(['stop_loss', true])
    expect(exits(DECISION.SELL, quarters(calm, up, down, calm))).toEqual(['stop_loss', true])
    expect(exits(DECISION.SELL, quarters(calm, down, up, calm))).toEqual(['take_profit', true])
  })

  it('fills at the price of its order whatever told so', () =>
    expect(run(DECISION.BUY, new Map([[HOUR, quarters(up, down)]])).trades[0]!.exitPrice).toBe(102))

  it('is the stop where one smaller candle reaches both, one is missing before, or none does', () => {
    expect(exits(DECISION.BUY, quarters(calm, [97, 103]))).toEqual(['stop_loss', false])
    const gap = candlesFromRows([0, 1, 3].map((k) => [HOUR + k * QUARTER, 100, k === 3 ? 103 : 101, 99, 100, 1]))
    expect(exits(DECISION.BUY, gap)).toEqual(['stop_loss', false])
    expect(exits(DECISION.BUY, quarters(calm, calm, calm, calm))).toEqual(['stop_loss', false])
    expect(exits(DECISION.BUY, quarters())).toEqual(['stop_loss', false])
  })

  it('is looked into only where it is met, also where an earlier one was turned', async () => {
    const asked: number[] = []
    // Entered again at the open after each exit; every hour reaches both.
    const wild = candlesFromRows(
      Array.from({ length: 6 }, (_, i) => [i * HOUR, 100, i === 0 ? 100 : 103, i === 0 ? 100 : 97, 100, 1]),
    )
    const result = await runWithDetail(
      (detailOf) => runBacktest(wild, new Int8Array(6).fill(DECISION.BUY), settings, null, undefined, detailOf()),
      async (_symbol, time) => {
        asked.push(time)
        return candlesFromRows([up, down].map(([low, high], k) => [time + k * QUARTER, 100, high, low, 100, 1]))
      },
    )
    expect(result.trades.map(({ exitReason }) => exitReason)).toEqual(Array(5).fill('take_profit'))
    expect(asked.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5].map((hour) => hour * HOUR))
  })

  it('changes nothing where no candle reaches both, whatever the smaller ones are', () =>
    fc.assert(
      fc.property(fc.integer({ min: 9801, max: 10_000 }), fc.integer({ min: 9000, max: 11_000 }), (low, any) => {
        const one = candlesFromRows([
          [0, 100, 100, 100, 100, 1],
          [HOUR, 100, 103, low / 100, 100, 1],
        ])
        const of = (detail: DetailCandles | null) =>
          runBacktest(one, Int8Array.of(DECISION.BUY, 0), settings, null, undefined, detail)
        const detail = new Map([[HOUR, quarters([any / 100 - 5, any / 100 + 5])]])
        expect(of(detail)).toEqual(of(null))
      }),
    ))
})
