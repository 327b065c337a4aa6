import { describe, expect, it } from 'vitest'
import { runBacktest } from '../backtest.ts'
import { backtestSettings } from '../backtest-settings.ts'
import type { Candles } from '../candles.ts'
import { createRandom } from '../random.ts'
import { decided, futures, hourly, type Ohlc, wildCandles } from '../testing/small-runs.ts'
import { parseRule } from './parse.ts'
import { type EntryStudy, entryStudyOf, type HeldTrade, judgeEntries } from './random-entries.ts'
import { createRuleColumns } from './rule-columns.ts'
import { ruleDecisions } from './rule-decisions.ts'

/** Opens of the exact case; each candle is its open alone. */
const OPENS = [100, 101, 99, 102, 105, 103, 104, 108, 107, 106, 110, 109, 111, 112]
const candles = hourly(...OPENS.map((open): Ohlc => [open, open, open, open]))
/** Long, out two opens later; 11 bps of each fill's price. */
const settings = futures({ market: 'spot', feeRate: 0.0011, timeExitCandles: 2 })

describe('three trades of two candles each, entered at 3, 6 and 9', () => {
  const { trades } = runBacktest(candles, decided('..B..B..B.....'), settings)
  const study = entryStudyOf(candles, trades, settings)
  const sumOf = (...entries: number[]) => entries.reduce((sum, entry) => sum + study.logNet(1, entry, 2), 0)

  it('leave 106.131% of the money after costs', () => {
    expect(study.trades.map(({ entry, held }) => [entry, held])).toEqual([
      [3, 2],
      [6, 2],
      [9, 2],
    ])
    expect(study.trades.reduce((sum, { logNet }) => sum + logNet, 0)).toBeCloseTo(0.05950289572097257, 14)
    expect(sumOf(3, 6, 9)).toBeCloseTo(0.05950289572097257, 14)
  })

  it('do as well as 34 of the 84 ways to place them, themselves among these', () => {
    const sums: number[] = []
    for (let a = 1; a <= 11; a++)
      for (let b = a + 2; b <= 11; b++) for (let c = b + 2; c <= 11; c++) sums.push(sumOf(a, b, c))
    expect(sums).toHaveLength(84)
    expect(sums.filter((sum) => sum >= sumOf(3, 6, 9) - 1e-12)).toHaveLength(34)
  })
})

const tradesAt = (n: number, step: number, given: Partial<HeldTrade> = {}): HeldTrade[] =>
  Array.from({ length: n }, (_, k) => ({ side: 1, entry: 1 + k * step, held: 2, logNet: 0.01, ...given }))
const study = (trades: readonly HeldTrade[], length: number, logNet: EntryStudy['logNet']): EntryStudy => ({
  candles: length,
  trades,
  logNet,
})

describe('the verdict on entries', () => {
  it('is "too few" below 30 trades', () => {
    const verdict = judgeEntries([study(tradesAt(29, 10), 500, () => 0.01)], createRandom(1))
    const netReturnPct = expect.closeTo(33.64, 2)
    expect(verdict).toEqual({ code: 'too_few_trades', trades: 29, p: null, netReturnPct, random: [] })
  })

  it('finds entries that alone earn something, with a p of 1 in 1,000', () => {
    const good = tradesAt(40, 12)
    const isGood = (at: number) => good.some(({ entry }) => entry === at)
    const { code, p, random } = judgeEntries([study(good, 500, (_, at) => (isGood(at) ? 0.01 : 0))], createRandom(1))
    expect([code, p, random.length]).toEqual(['better_than_random', 0.001, 999])
  })

  it('cannot tell where every entry earns the same', () => {
    const verdict = judgeEntries([study(tradesAt(40, 12), 500, () => 0.01)], createRandom(1))
    expect(verdict).toMatchObject({ code: 'cannot_tell', p: 1 })
  })

  it('draws every way to place the trades as often: 84 ways of three, each about 119 times of 10,000', () => {
    const seen = new Map<string, number>()
    let now: number[] = []
    const one = study(tradesAt(3, 3), 13, (_, at) => {
      now.push(at)
      if (now.length === 3) {
        seen.set(now.join(), (seen.get(now.join()) ?? 0) + 1)
        now = []
      }
      return 0
    })
    judgeEntries([one, study(tradesAt(27, 3), 200, () => 0)], createRandom(1), 10_000)
    expect(seen.size).toBe(84)
    const chi = [...seen.values()].reduce((sum, count) => sum + (count - 10_000 / 84) ** 2 / (10_000 / 84), 0)
    // 83 degrees of freedom: 130 is passed once in 1,000.
    expect(chi).toBeLessThan(130)
  })

  it('keeps trades in their 500 candles, with their sides and lengths, and apart', () => {
    const early = tradesAt(30, 10, { held: 3 })
    const late = tradesAt(5, 90, { side: -1, held: 40 }).map((trade) => ({ ...trade, entry: trade.entry + 500 }))
    const drawn: [side: number, from: number, to: number][] = []
    const one = study([...early, ...late], 1000, (side, at, held) => {
      drawn.push([side, at, at + held])
      return 0
    })
    judgeEntries([one], createRandom(1), 50)
    for (const [k, [side, from, to]] of drawn.entries()) {
      expect([to - from, from < 500]).toEqual(side > 0 ? [3, true] : [40, false])
      expect(from).toBeGreaterThanOrEqual(k % 35 === 0 ? 1 : drawn[k - 1]![2])
      expect(to).toBeLessThanOrEqual(1000)
    }
  })
})

/** A walk without any edge. `drift` is a log return a candle. */
const walkOf = (seed: number, drift: number): Candles => {
  const walk = wildCandles(createRandom(seed), 1200, 0.008)
  const grown = (column: Float64Array) => column.map((price, i) => price * Math.exp(drift * i))
  return { ...walk, open: grown(walk.open), high: grown(walk.high), low: grown(walk.low), close: grown(walk.close) }
}

it.each([
  ['enter: ema(5) > ema(15) exit: ema(5) < ema(15)', 0],
  ['enter: ema(5) > ema(15) exit: ema(5) < ema(15)', 0.001],
  ['enter: rsi(2) < 10 exit: close > sma(5)', 0],
  ['enter: rsi(2) < 10 stop: 2% target: 4% trail: 3%', 0.001],
  ['enter: macd > macd_signal short: macd < macd_signal', 0],
])('%s on 100 walks without an edge, drift %d: called better than random at most 10 times', (text, drift) => {
  const rule = parseRule(text)
  let found = 0
  for (let seed = 1; seed <= 100; seed++) {
    const walk = walkOf(seed, drift)
    const decisions = ruleDecisions(rule, createRuleColumns({ candles: walk, timeframe: '1h', forecast: null }))
    const given = backtestSettings({
      ...futures({ stopLossPct: rule.stopPct ?? 0, takeProfitPct: rule.targetPct ?? 0, feeRate: 0.0006 }),
      trailingStopPct: rule.trailPct ?? 0,
      sizing: { kind: 'percent_of_equity', pct: 100 },
    })
    const one = entryStudyOf(walk, runBacktest(walk, decisions, given).trades, given)
    if (judgeEntries([one], createRandom(seed), 199).code === 'better_than_random') found++
  }
  expect(found).toBeLessThanOrEqual(10)
})
