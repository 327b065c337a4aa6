import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BacktestJournal, runBacktest } from './backtest.ts'
import { runPairs, type TestedPair } from './backtest-pairs.ts'
import { backtestSettings } from './backtest-settings.ts'
import { sliceCandles } from './candles.ts'
import {
  type Bar,
  copyPortfolio,
  createPortfolio,
  type Desk,
  moveWithin,
  openBars,
  type Portfolio,
  stepPortfolio,
} from './portfolio.ts'
import { createRandom } from './random.ts'
import { createRules } from './rules.ts'
import { wildCandles } from './testing/small-runs.ts'

/** One to four pairs with gaps of their own, on one balance, by decisions or by shares of the equity. */
const scenarios: fc.Arbitrary<TestedPair[]> = fc
  .record({
    seed: fc.integer(),
    pairs: fc.integer({ min: 1, max: 4 }),
    length: fc.integer({ min: 2, max: 80 }),
    wildness: fc.constantFrom(0.001, 0.02, 0.15),
    byShares: fc.boolean(),
    postOnly: fc.option(fc.record({ makerFeeRate: fc.constant(0), tickSize: fc.constantFrom(0, 0.01) }), {
      nil: undefined,
    }),
    settings: fc.record({
      market: fc.constantFrom('spot' as const, 'futures' as const),
      leverage: fc.constantFrom(1, 10, 100),
      feeRate: fc.constantFrom(0, 0.0006, 0.02),
      slippageBps: fc.constantFrom(0, 5, 300),
      sizing: fc.oneof(
        fc.record({ kind: fc.constant('fixed' as const), quantity: fc.constantFrom(0.5, 4, 50) }),
        fc.record({ kind: fc.constant('percent_of_equity' as const), pct: fc.constantFrom(20, 60, 100) }),
      ),
      lotSize: fc.constantFrom(0, 0.1),
      minNotional: fc.constantFrom(0, 10),
      takeProfitPct: fc.constantFrom(0, 2),
      stopLossPct: fc.constantFrom(0, 1, 5),
      maxDrawdownPct: fc.constantFrom(10, 100),
      noSameBarReentry: fc.boolean(),
    }),
  })
  .map(({ seed, pairs, length, wildness, byShares, postOnly, settings }) => {
    const random = createRandom(seed)
    const given = byShares
      ? ({ ...settings, market: 'spot', targetBand: 0.05, ...(postOnly === undefined ? {} : { postOnly }) } as const)
      : settings
    return Array.from({ length: pairs }, (_, k): TestedPair => {
      const candles = wildCandles(random, length, wildness)
      const share = () => (random.next() < 0.5 ? Number.NaN : random.next() / pairs)
      const code = () => (random.next() < 0.4 ? ([1, -1, 2] as const)[random.below(3)]! : 0)
      return {
        symbol: `P${k}`,
        candles,
        decisions: byShares ? Float64Array.from(candles.ts, share) : Int8Array.from(candles.ts, code),
        settings: backtestSettings({ timeframe: '1h', initialBalance: 1000, ...given }),
      }
    })
  })

const holds = (property: (pairs: TestedPair[]) => void) => fc.assert(fc.property(scenarios, property), { numRuns: 200 })

type Move = (desk: Desk, bars: readonly (Bar | null)[], time: number) => { portfolio: Portfolio; equity: number }
const wholeStep: Move = (desk, bars, time) => ({ portfolio: desk.portfolio, equity: stepPortfolio(desk, bars, time) })

/** Steps through a scenario as `runPairs` does, and shows the portfolio after each candle. */
function walk(pairs: TestedPair[], look: (portfolio: Portfolio, equity: number) => void, move: Move = wholeStep): void {
  const rules = pairs.map(({ settings }) => createRules(settings))
  const journals = pairs.map(() => new BacktestJournal())
  let portfolio = createPortfolio(
    1000,
    pairs.map(({ symbol }) => symbol),
  )
  const times = [...new Set(pairs.flatMap(({ candles }) => [...candles.ts]))].sort((a, b) => a - b)
  for (const time of times) {
    const bars = pairs.map(({ candles }): Bar | null => {
      const i = candles.ts.indexOf(time)
      return i < 0 ? null : { candles, i }
    })
    const made = move({ portfolio, rules, journals }, bars, time)
    portfolio = made.portfolio
    for (const [k, bar] of bars.entries())
      if (bar !== null) {
        const decision = pairs[k]!.decisions[bar.i]!
        portfolio.pairs[k]!.pending = Number.isNaN(decision) ? null : decision
      }
    look(portfolio, made.equity)
  }
}
const equities = (pairs: TestedPair[], move?: Move): number[] => {
  const all: number[] = []
  walk(pairs, (_, equity) => all.push(equity), move)
  return all
}

describe('invariants of several pairs on one balance', () => {
  it('results of the trades, and of what is open, add up to the change of the equity', () =>
    holds((pairs) => {
      const { trades, openPositions, finalEquity, finalBalance } = runPairs(pairs)
      const closed = trades.reduce((sum, { netPnL }) => sum + netPnL, 0)
      const fees = openPositions.reduce((sum, open) => sum + open.fees, 0)
      const unrealized = openPositions.reduce((sum, open) => sum + open.unrealizedPnL, 0)
      expect(finalBalance - 1000).toBeCloseTo(closed - fees, 6)
      expect(finalEquity - finalBalance).toBeCloseTo(unrealized, 6)
    }))

  it('no money is bound twice, none is spent that is not there, and spot is never short', () =>
    holds((pairs) =>
      walk(pairs, ({ balance, pairs: held }) => {
        const bound = held.reduce((sum, { account }) => sum + (account.side === 0 ? 0 : account.margin), 0)
        expect(bound).toBeLessThanOrEqual(balance * (1 + 1e-9) + 1e-9)
        expect(balance).toBeGreaterThanOrEqual(-1e-9)
        if (pairs[0]!.settings.market === 'spot')
          for (const { account } of held) expect(account.size).toBeGreaterThanOrEqual(0)
      }),
    ))

  it('one pair is a backtest of it, to the bit', () =>
    holds(([pair]) => {
      const alone = runBacktest(pair!.candles, pair!.decisions, pair!.settings)
      const { equity, trades } = runPairs([pair!])
      expect(equity).toEqual(alone.equity)
      expect(trades.map(({ symbol: _, ...trade }) => trade)).toEqual(alone.trades)
    }))

  it('what comes later changes nothing before it', () =>
    holds((pairs) => {
      const whole = equities(pairs)
      const until = pairs[0]!.candles.ts[Math.floor(pairs[0]!.candles.length / 2)]!
      const past = pairs.map((pair) => {
        const known = pair.candles.ts.filter((ts) => ts <= until).length
        return { ...pair, candles: sliceCandles(pair.candles, 0, known), decisions: pair.decisions.slice(0, known) }
      })
      const before = equities(past)
      expect(before).toEqual(whole.slice(0, before.length))
    }))

  it('a restart after any candle, or asking within one again and again, leads to the same bits', () =>
    holds((pairs) => {
      const restarted: Move = (kept, bars, time) => {
        const portfolio = copyPortfolio(JSON.parse(JSON.stringify(kept.portfolio)) as Portfolio)
        const desk = { ...kept, portfolio }
        for (let again = 0; again < 2; again++) {
          openBars(desk, bars)
          moveWithin(desk, bars)
        }
        return wholeStep(desk, bars, time)
      }
      expect(equities(pairs, restarted)).toEqual(equities(pairs))
    }))
})
