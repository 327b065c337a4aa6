import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineTrade, Fill, Journal } from './journal.ts'
import { createPortfolio, type Portfolio, portfolioEquity, rebalancePairs } from './portfolio.ts'
import { createRules } from './rules.ts'
import { HOUR, spot } from './testing/small-runs.ts'

/** Asks each pair for its target (null: is not asked) and brings it there; answers what was filled. */
function rebalance(
  portfolio: Portfolio,
  prices: readonly (number | null)[],
  targets: readonly (number | null)[],
  settings: Parameters<typeof spot>[0],
) {
  const fills: (Fill & { symbol: string })[] = []
  const trades: EngineTrade[] = []
  const skipped: string[] = []
  const journals = portfolio.pairs.map(
    ({ symbol }): Journal => ({
      fill: (fill) => fills.push({ ...fill, symbol }),
      trade: (trade) => trades.push(trade),
      skip: (reason) => skipped.push(`${symbol} ${reason}`),
      reduced() {},
      gap() {},
      funding() {},
    }),
  )
  for (const [k, pair] of portfolio.pairs.entries()) {
    const target = targets[k] ?? null
    pair.byHand = target === null ? undefined : { target, askedMs: 0 }
  }
  const rules = portfolio.pairs.map(() => createRules(spot({ targetBand: 0.1, ...settings })))
  rebalancePairs({ portfolio, rules, journals }, prices, HOUR)
  return { fills, trades, skipped }
}
const sizes = ({ pairs }: Portfolio) => pairs.map(({ account }) => account.size)

describe('a portfolio that is rebalanced by hand, worked by hand', () => {
  it('sells first, and buys with that: 4 of A at 100 grow to 800, half of 1400 are 3.5, and B gets the other 7', () => {
    const portfolio = createPortfolio(1000, ['B', 'A'])
    rebalance(portfolio, [100, 100], [0.6, 0.4], {})
    expect(sizes(portfolio)).toEqual([6, 4])
    portfolio.pairs[0]!.account.resting = { side: 1, quantity: 1, limit: 100, until: 9 * HOUR, open: 100 }
    const { fills, trades } = rebalance(portfolio, [100, 200], [0.5, 0.5], {})
    expect(fills.map(({ symbol, kind, quantity }) => [symbol, kind, quantity])).toEqual([
      ['A', 'exit', 0.5],
      ['B', 'entry', 1],
    ])
    expect(trades).toMatchObject([{ quantity: 0.5, netPnL: 50, exitReason: 'rebalanced_by_hand' }])
    // What rested of the last decision would buy it twice.
    expect(portfolio.pairs[0]!.account.resting).toBeUndefined()
    expect(portfolio.pairs.map(({ byHand, movedTs }) => [byHand, movedTs])).toEqual([
      [undefined, HOUR],
      [undefined, HOUR],
    ])
  })

  it('leaves a pair whose price is not known, and goes on asking for it', () => {
    const portfolio = createPortfolio(1000, ['A', 'B'])
    expect(rebalance(portfolio, [100, null], [0.5, 0.5], {}).fills).toHaveLength(1)
    expect(portfolio.pairs[1]).toMatchObject({ byHand: { target: 0.5 }, account: { side: 0 } })
  })

  it('says of a pair within a step of its target why nothing is ordered', () => {
    const portfolio = createPortfolio(1000, ['A'])
    rebalance(portfolio, [100], [0.5], { lotSize: 1 })
    expect(rebalance(portfolio, [101], [0.5], { lotSize: 1 }).skipped).toEqual(['A below_lot_size'])
    expect(rebalance(portfolio, [101], [0.5], { minNotional: 10 }).skipped).toEqual(['A below_min_notional'])
    expect(portfolio.pairs[0]).toMatchObject({ byHand: undefined, account: { size: 5 } })
  })
})

describe('any portfolio that is rebalanced by hand', () => {
  const pair = fc.record({
    price: fc.double({ min: 0.5, max: 1000, noNaN: true }),
    move: fc.double({ min: 0.5, max: 2, noNaN: true }),
    before: fc.double({ min: 0, max: 1, noNaN: true }),
    target: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  const scenarios = fc.record({
    pairs: fc.array(pair, { minLength: 1, maxLength: 5 }),
    settings: fc.record({
      feeRate: fc.constantFrom(0, 0.0006, 0.01),
      slippageBps: fc.constantFrom(0, 5, 100),
      lotSize: fc.constantFrom(0, 0.001, 0.1),
      minNotional: fc.constantFrom(0, 5, 20),
    }),
  })

  it('stands within a step or a smallest order of each target, but for what the costs took, and pays exactly these', () =>
    fc.assert(
      fc.property(scenarios, ({ pairs, settings }) => {
        const portfolio = createPortfolio(
          1000,
          pairs.map((_, k) => `P${k}`),
        )
        const n = pairs.length
        rebalance(
          portfolio,
          pairs.map(({ price }) => price),
          pairs.map(({ before }) => before / n),
          settings,
        )
        const prices = pairs.map(({ price, move }) => price * move)
        for (const [k, each] of portfolio.pairs.entries()) each.lastPrice = prices[k]!
        const [equity, balance] = [portfolioEquity(portfolio), portfolio.balance]
        const { fills } = rebalance(
          portfolio,
          prices,
          pairs.map(({ target }) => target / n),
          settings,
        )
        const slipped = fills.reduce(
          (sum, { quantity, price, rawPrice }) => sum + quantity * Math.abs(price - rawPrice),
          0,
        )
        const fees = fills.reduce((sum, { fee }) => sum + fee, 0)
        const pnl = fills.reduce((sum, fill) => sum + fill.pnl, 0)
        expect(portfolio.balance).toBeCloseTo(balance + pnl - fees, 9)
        expect(portfolioEquity(portfolio)).toBeCloseTo(equity - fees - slipped, 8)
        const cash =
          portfolio.balance - portfolio.pairs.reduce((sum, { account }) => sum + account.size * account.entryPrice, 0)
        expect(cash).toBeGreaterThanOrEqual(-1e-9)
        for (const [k, { account, byHand }] of portfolio.pairs.entries()) {
          const worth = account.size * prices[k]!
          const step = Math.max(settings.lotSize * prices[k]!, settings.minNotional * 1.02)
          // All costs are taken off what the last ones may want, or could still pay.
          expect(Math.abs(worth - (pairs[k]!.target / n) * equity)).toBeLessThanOrEqual(step + fees + slipped + 1e-6)
          expect(byHand).toBeUndefined()
        }
      }),
      { numRuns: 300 },
    ))
})
