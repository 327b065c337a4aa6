import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Account, createAccount } from './account.ts'
import { runBacktest } from './backtest.ts'
import { type BacktestSettings, backtestSettings } from './backtest-settings.ts'
import { type Candles, sliceCandles } from './candles.ts'
import { type EngineTrade, type Fill, type Journal, SILENT } from './journal.ts'
import { metricsOf, metricsOfRange } from './metrics.ts'
import type { FundingSeries } from './models/funding.ts'
import type { EngineSizing } from './models/sizing.ts'
import { createRandom } from './random.ts'
import { createRules } from './rules.ts'
import { runPoint } from './search/run-point.ts'
import { step } from './step.ts'
import { HOUR, wildCandles } from './testing/small-runs.ts'

interface Scenario {
  readonly candles: Candles
  readonly decisions: Int8Array
  readonly settings: BacktestSettings
  readonly funding: FundingSeries | null
}

const sizings: fc.Arbitrary<EngineSizing> = fc.oneof(
  fc.record({ kind: fc.constant('fixed' as const), quantity: fc.double({ min: 0.01, max: 50, noNaN: true }) }),
  fc.record({ kind: fc.constant('percent_of_equity' as const), pct: fc.double({ min: 1, max: 100, noNaN: true }) }),
  fc.record({ kind: fc.constant('quote_amount' as const), quote: fc.double({ min: 1, max: 5000, noNaN: true }) }),
  fc.record({ kind: fc.constant('volatility_target' as const), annualPct: fc.constantFrom(10, 100, 900) }),
)

const settingsOf = fc.record({
  market: fc.constantFrom('spot' as const, 'futures' as const),
  timeframe: fc.constant('1h' as const),
  initialBalance: fc.constant(1000),
  leverage: fc.constantFrom(1, 2, 10, 100),
  feeRate: fc.constantFrom(0, 0.0006, 0.02),
  slippageBps: fc.constantFrom(0, 5, 300),
  slippageSides: fc.constantFrom('none' as const, 'entry_only' as const, 'both_sides' as const),
  sizing: sizings,
  lotSize: fc.constantFrom(0, 0.001, 0.1),
  minNotional: fc.constantFrom(0, 10),
  takeProfitPct: fc.constantFrom(0, 1, 5),
  stopLossPct: fc.constantFrom(0, 0.01, 1, 5, 100),
  trailingStopPct: fc.constantFrom(0, 0.01, 1, 5),
  timeExitCandles: fc.constantFrom(1, 2, 12, 1000),
  maxDrawdownPct: fc.constantFrom(5, 30, 100),
  noSameBarReentry: fc.boolean(),
})

/** Wild hourly candles with gaps, decisions of every kind, and sometimes a funding rate every two hours. */
const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    seed: fc.integer(),
    length: fc.integer({ min: 1, max: 120 }),
    wildness: fc.constantFrom(0.001, 0.02, 0.15),
    chattiness: fc.constantFrom(0.1, 0.6),
    funded: fc.boolean(),
    settings: settingsOf,
  })
  .map(({ seed, length, wildness, chattiness, funded, settings }) => {
    const random = createRandom(seed)
    const candles = wildCandles(random, length, wildness)
    const decisions = Int8Array.from(candles.ts, () =>
      random.next() < chattiness ? ([1, -1, 2, 3, 4] as const)[random.below(5)]! : 0,
    )
    const times = Float64Array.from({ length: 200 }, (_, k) => k * 2 * HOUR)
    const rate = times.map(() => (random.next() < 0.1 ? 0.2 : 0.002) * random.normal())
    const mark = times.map(() => (random.next() < 0.5 ? Number.NaN : 100))
    const funding = funded ? { ts: times, rate, mark, known: [{ fromMs: 0, untilMs: 40 * HOUR }] } : null
    return { candles, decisions, settings: backtestSettings(settings), funding }
  })

const holds = (property: (scenario: Scenario) => void) => fc.assert(fc.property(scenarios, property), { numRuns: 300 })
const backtest = ({ candles, decisions, settings, funding }: Scenario) =>
  runBacktest(candles, decisions, settings, funding)

/** Steps through a scenario and shows the account and what was written down, candle by candle. */
function walk(scenario: Scenario, look: (i: number, account: Account, fills: Fill[], trades: EngineTrade[]) => void) {
  const { candles, decisions, settings, funding } = scenario
  const account = createAccount(settings.initialBalance)
  const rules = createRules(settings, funding)
  for (let i = 0; i < candles.length; i++) {
    const fills: Fill[] = []
    const trades: EngineTrade[] = []
    const journal: Journal = {
      fill: (fill) => fills.push(fill),
      trade: (trade) => trades.push(trade),
      skip() {},
      reduced() {},
      gap() {},
      funding() {},
    }
    step({ account, rules, journal }, candles, i, i === 0 ? 0 : decisions[i - 1]!)
    look(i, account, fills, trades)
  }
}

describe('invariants of every backtest', () => {
  it('a point of a search has the same equity, drawdown and trades, to the bit', () =>
    holds((s) => {
      const { equity, trades } = backtest(s)
      const days = Int32Array.from(s.candles.ts, (_, i) => i).filter((i) => i % 3 !== 1)
      const rules = createRules(s.settings, s.funding)
      const run = runPoint(s.candles, s.decisions, rules, s.settings.initialBalance, days)
      expect([...run.equity]).toEqual(Array.from(days, (i) => equity[i]))
      expect(run.finalEquity).toBe(equity.at(-1))
      expect(run.trades).toBe(trades.length)
      expect(run.maxDrawdownPct).toBe(metricsOf(backtest(s), s.candles).maxDrawdownPct)
    }))

  it('its equity is that of one step a candle, to the bit', () =>
    holds((s) => {
      const { equity } = backtest(s)
      walk(s, (i, account) => expect(account.equity).toBe(equity[i]))
    }))

  it('equity is the balance and what the position has won or lost, at every close', () =>
    holds((s) =>
      walk(s, (i, account) => {
        const value = account.size * (s.candles.close[i]! - account.entryPrice)
        expect(account.equity).toBe(account.balance + value)
        expect(account.side).toBe(Math.sign(account.size))
        expect(account.margin).toBeLessThanOrEqual(account.balance)
      }),
    ))

  it('the balance is the cash that the fills have moved: bought, sold, paid in fees and funding', () =>
    holds((s) => {
      let cash = s.settings.initialBalance
      let base = 0
      let funding = 0
      let kept = 0
      walk(s, (i, account, fills, trades) => {
        for (const fill of fills) {
          const bought = (fill.kind === 'entry') === (fill.side === 'long') ? fill.quantity : -fill.quantity
          cash -= bought * fill.price + fill.fee
          base += bought
        }
        for (const trade of trades) funding += trade.funding
        kept = account.positionFunding
        expect(cash + base * s.candles.close[i]! + funding + kept).toBeCloseTo(account.equity, 6)
      })
    }))

  it('net results of the trades, and of the open position, add up to the change of the equity', () =>
    holds((s) => {
      const result = backtest(s)
      const trades = result.trades.reduce((sum, trade) => sum + trade.netPnL, 0)
      const open = result.openPosition
      const held = open === null ? 0 : open.funding - open.fees
      expect(result.finalBalance - s.settings.initialBalance).toBeCloseTo(trades + held, 6)
      expect(result.finalEquity - result.finalBalance).toBeCloseTo(open?.unrealizedPnL ?? 0, 6)
      expect(result.finalEquity).toBe(result.equity[result.equity.length - 1])
      expect(metricsOf(result, s.candles).netPnL).toBeCloseTo(result.finalEquity - s.settings.initialBalance, 6)
      for (const t of result.trades) expect(t.grossPnL - t.slippageCost - t.fees + t.funding).toBeCloseTo(t.netPnL, 6)
    }))

  it('every entry has its decision at the close before, on the side of the fill', () =>
    holds((s) =>
      walk(s, (i, _account, fills) => {
        for (const fill of fills)
          if (fill.kind === 'entry') expect(s.decisions[i - 1]).toBe(fill.side === 'long' ? 1 : -1)
      }),
    ))

  it('every fill lies within its candle but for slippage, and for the price at which the margin was gone', () =>
    holds((s) => {
      const slip = s.settings.slippageBps / 10_000
      const low = (ts: number) => s.candles.low[s.candles.ts.indexOf(ts)]! * (1 - slip) - 1e-9
      const high = (ts: number) => s.candles.high[s.candles.ts.indexOf(ts)]! * (1 + slip) + 1e-9
      for (const trade of backtest(s).trades) {
        expect(trade.entryPrice).toBeGreaterThanOrEqual(low(trade.entryTime))
        expect(trade.entryPrice).toBeLessThanOrEqual(high(trade.entryTime))
        if (trade.exitReason === 'liquidation') continue
        expect(trade.exitPrice).toBeGreaterThanOrEqual(low(trade.exitTime))
        expect(trade.exitPrice).toBeLessThanOrEqual(high(trade.exitTime))
      }
    }))

  it('the future changes nothing in the past: cut or turned around, equity and trades before stay the same bits', () =>
    holds((s) => {
      const whole = backtest(s)
      const cut = Math.ceil(s.candles.length / 2)
      const past = runBacktest(sliceCandles(s.candles, 0, cut), s.decisions.slice(0, cut), s.settings, s.funding)
      expect(past.equity).toEqual(whole.equity.slice(0, cut))
      const end = s.candles.ts[cut - 1]!
      expect(past.trades).toEqual(whole.trades.filter((trade) => trade.exitTime <= end))

      const other = sliceCandles(s.candles, 0)
      const turned: Candles = {
        ...other,
        open: other.open.map((v, i) => (i < cut ? v : 2 * v)),
        high: other.high.map((v, i) => (i < cut ? v : 2 * v)),
        low: other.low.map((v, i) => (i < cut ? v : 2 * v)),
        close: other.close.map((v, i) => (i < cut ? v : 2 * v)),
      }
      const decisions = s.decisions.map((code, i) => (i < cut ? code : code === 1 ? -1 : 1))
      const perturbed = runBacktest(turned, decisions, s.settings, s.funding)
      expect(perturbed.equity.slice(0, cut)).toEqual(whole.equity.slice(0, cut))
    }))

  it('the same input gives the same bits, and an account that went through JSON goes on with them', () =>
    holds((s) => {
      const result = backtest(s)
      expect(backtest(s)).toEqual(result)
      let account = createAccount(s.settings.initialBalance)
      const rules = createRules(s.settings, s.funding)
      for (let i = 0; i < s.candles.length; i++) {
        account = JSON.parse(JSON.stringify(account)) as Account
        const one = sliceCandles(s.candles, i, i + 1)
        const trader = { account, rules, journal: SILENT }
        expect(step(trader, one, 0, i === 0 ? 0 : s.decisions[i - 1]!)).toBe(result.equity[i])
      }
    }))

  it('spot is never short', () =>
    holds((s) => {
      if (s.settings.market !== 'spot') return
      walk(s, (_i, account) => expect(account.size).toBeGreaterThanOrEqual(0))
    }))

  it('an entry never needs more than the balance carries, and keeps to lots and the minimum notional', () =>
    holds((s) => {
      const leverage = s.settings.market === 'futures' ? s.settings.leverage : 1
      let before = s.settings.initialBalance
      walk(s, (_i, account, fills) => {
        for (const [k, fill] of fills.entries()) {
          if (fill.kind === 'exit' || k > 0) continue
          expect((fill.quantity * fill.price) / leverage + fill.fee).toBeLessThanOrEqual(before * (1 + 1e-9) + 1e-9)
          expect(fill.quantity * fill.price).toBeGreaterThanOrEqual(s.settings.minNotional)
          const lots = fill.quantity / (s.settings.lotSize || fill.quantity)
          expect(Math.abs(lots - Math.round(lots))).toBeLessThan(1e-6)
        }
        before = account.balance + Math.max(0, account.positionFunding)
      })
    }))

  it('no trade loses more than its margin, its fees and its funding; the balance never falls below 0', () =>
    holds((s) => {
      const leverage = s.settings.market === 'futures' ? s.settings.leverage : 1
      const result = backtest(s)
      for (const t of result.trades) {
        const margin = (t.quantity * t.entryPrice) / leverage
        const paid = t.fees + Math.max(0, -t.funding)
        expect(t.netPnL).toBeGreaterThanOrEqual(-margin - paid - Math.max(0, t.funding) - 1e-6)
      }
      walk(s, (_i, account) => expect(account.balance).toBeGreaterThanOrEqual(-1e-9))
    }))

  it('after a halt there is no entry', () =>
    holds((s) => {
      const { haltedAt, trades, openPosition } = backtest(s)
      if (haltedAt === null) return
      for (const t of trades) expect(t.entryTime).toBeLessThanOrEqual(haltedAt)
      if (openPosition !== null) expect(haltedAt).toBe(s.candles.ts[s.candles.length - 1])
    }))

  it('counts agree: entries are the trades and the open position, gaps are the missing hours', () =>
    holds((s) => {
      const result = backtest(s)
      expect(result.entries).toBe(result.trades.length + (result.openPosition === null ? 0 : 1))
      const { ts } = s.candles
      const hours = (ts[ts.length - 1]! - ts[0]!) / HOUR + 1
      expect(result.gaps.missingCandles).toBe(hours - ts.length)
      const { buy, sell, hold, close } = result.signals
      expect(buy + sell + hold + close).toBe(ts.length)
    }))

  it('money of the parts adds up to money of the whole, trade by trade and return by return', () =>
    holds((s) => {
      if (s.candles.length < 2) return
      const result = backtest(s)
      const cut = Math.floor(s.candles.length / 2)
      const whole = metricsOf(result, s.candles)
      const a = metricsOfRange(result, s.candles, 0, cut)
      const b = metricsOfRange(result, s.candles, cut, s.candles.length)
      expect(a.trades + b.trades).toBe(whole.trades)
      for (const key of ['netPnL', 'grossPnL', 'fees', 'slippageCost', 'funding'] as const)
        expect(a[key] + b[key]).toBeCloseTo(whole[key], 6)
      if (whole.totalReturnPct === -100) return
      const growth = (1 + a.totalReturnPct / 100) * (1 + b.totalReturnPct / 100)
      expect(growth).toBeCloseTo(1 + whole.totalReturnPct / 100, 9)
      expect(whole.maxDrawdownPct).toBeGreaterThanOrEqual(Math.max(a.maxDrawdownPct, b.maxDrawdownPct) - 1e-9)
      for (const value of Object.values(whole)) expect(Number.isNaN(value)).toBe(false)
    }))
})
