import { describe, expect, it } from 'vitest'
import type { BacktestResult } from './backtest-result.ts'
import type { EngineTrade } from './journal.ts'
import { createRandom } from './random.ts'
import { resultIntervals } from './result-intervals.ts'
import { intervalsOfRange } from './run-intervals.ts'
import { futures, HOUR, hourly, type Ohlc, spot } from './testing/small-runs.ts'

const flat = (hours: number) => hourly(...Array.from({ length: hours }, (): Ohlc => [100, 100, 100, 100]))
const random = createRandom(11)
const noise = (n: number, mean: number) => Float64Array.from({ length: n }, () => mean + random.normal())
const sum = (values: Iterable<number>) => [...values].reduce((all, value) => all + value, 0)

/** A run that began with 1,000 and closed one trade an hour, entered at its open. */
function traded(netPnL: ArrayLike<number>): BacktestResult {
  let equity = 1000
  return {
    settings: futures(),
    trades: Array.from(netPnL, (net, i) => ({ entryTime: i * HOUR, netPnL: net, grossPnL: net }) as EngineTrade),
    equity: Float64Array.from(netPnL, (net) => {
      equity += net
      return equity
    }),
    openPositions: [],
  } as unknown as BacktestResult
}

/** A run of a policy over so many days, whose equity grows by `daily` from one first close of a day to the next. */
function held(daily: ArrayLike<number>): BacktestResult {
  let equity = 1000
  return {
    settings: spot({ targetBand: 0.1 }),
    trades: [],
    // Hours close at 01:00, 02:00 … of a day; the one that closes at 00:00 is the next day's first.
    equity: Float64Array.from({ length: 24 * (daily.length + 1) }, (_, i) => {
      if ((i + 1) % 24 === 0) equity *= 1 + (daily[(i + 1) / 24 - 2] ?? 0)
      return equity
    }),
    openPositions: [],
  } as unknown as BacktestResult
}

const whole = (result: BacktestResult) => intervalsOfRange(result, flat(result.equity.length), 0, result.equity.length)

describe('intervals of a run that trades', () => {
  const trades = noise(48, 0.2)
  const run = whole(traded(trades))

  it('are by trade: 48 × the mean of its 48 trades, of the 1,000 that it began with', () => {
    const { mean, logProfitFactor } = resultIntervals(trades, createRandom(1).next)
    expect(run).toMatchObject({ unit: 'trade', units: 48, wins: trades.filter((x) => x > 0).length })
    expect(run.totalReturnPct![0]).toBeCloseTo((48 * mean![0]) / 10, 9)
    expect(run.totalReturnPct![1]).toBeCloseTo((48 * mean![1]) / 10, 9)
    expect(run.profitFactor).toEqual([Math.exp(logProfitFactor![0]), Math.exp(logProfitFactor![1])])
  })

  it('hold the shown figures, and the Sharpe ratio is that of as many trades as a year would have', () => {
    const { value, interval } = run.sharpe!
    const mean = sum(trades) / 48
    const sd = Math.sqrt(sum(trades.map((x) => (x - mean) ** 2)) / 48)
    expect(value).toBeCloseTo((mean / sd) * Math.sqrt(8766), 9)
    expect(interval[0]).toBeLessThan(value)
    expect(interval[1]).toBeGreaterThan(value)
    expect(run.totalReturnPct![0]).toBeLessThan(sum(trades) / 10)
    expect(run.totalReturnPct![1]).toBeGreaterThan(sum(trades) / 10)
  })

  it('cover the trades entered in a part', () => {
    const part = intervalsOfRange(traded(trades), flat(48), 8, 48)
    expect(part).toMatchObject({ units: 40 })
    expect(part.totalReturnPct).not.toEqual(run.totalReturnPct)
  })

  it('say that it lost more than chance explains where the upper end is at most 0, and that a gain is one', () => {
    expect(whole(traded(noise(48, -1))).verdict).toBe('lost_beyond_chance')
    expect(whole(traded(noise(48, 1))).verdict).toBe('gained_beyond_chance')
    expect(whole(traded(noise(48, 0))).verdict).toBe('may_be_luck')
  })

  it('never say that more than everything may be lost', () => {
    const ruin = whole(traded(noise(48, -0.2).map((x) => 60 * x)))
    expect(ruin.totalReturnPct![0]).toBe(-100)
  })

  it('are none, never [0, 0], where nothing was traded, and below 30 trades or 5 wins', () => {
    const none = { totalReturnPct: null, profitFactor: null, sharpe: null }
    expect(whole(traded(noise(29, 1)))).toMatchObject({
      ...none,
      verdict: 'too_few',
    })
    const idle = { ...traded(new Float64Array(48)), trades: [] } as BacktestResult
    expect(whole(idle)).toMatchObject({ ...none, units: 0, autocorrelation: null, verdict: 'too_few' })
    const oneWin = whole(traded(Float64Array.from({ length: 48 }, (_, i) => (i === 9 ? 30 : -1 - (i % 3)))))
    expect(oneWin).toMatchObject({ ...none, wins: 1, losses: 47, verdict: 'too_few_wins_or_losses' })
  })

  it('are marked as too narrow where trades resemble the ones before them', () => {
    let before = 0
    const alike = noise(200, 0).map((x) => {
      before = 0.8 * before + x
      return before
    })
    expect(run.isTooNarrow).toBe(false)
    expect(whole(traded(alike)).isTooNarrow).toBe(true)
  })
})

describe('intervals of a policy that holds a share', () => {
  const days = noise(60, 0.1).map((x) => x / 100)
  const run = whole(held(days))

  it('are by day, between the first closes of UTC days, however few its trades', () => {
    expect(run).toMatchObject({ unit: 'day', units: 60, profitFactor: null })
    const logs = days.map(Math.log1p)
    const { mean } = resultIntervals(logs, createRandom(1).next)
    expect(run.totalReturnPct![0]).toBeCloseTo(100 * Math.expm1(60 * mean![0]), 6)
    expect(run.totalReturnPct![1]).toBeCloseTo(100 * Math.expm1(60 * mean![1]), 6)
    const daily = resultIntervals(days, createRandom(1).next)
    expect(run.sharpe!.interval[0]).toBeCloseTo(daily.sharpe![0] * Math.sqrt(365.25 * (60 / 61)), 6)
  })

  it('are none where nothing is left', () => {
    const lost = held(days)
    lost.equity.fill(0, 700)
    expect(whole(lost)).toMatchObject({ totalReturnPct: null, verdict: 'too_few', units: 0 })
  })
})
