import { createAccount } from '@shapecast/engine/account'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { type Fill, SILENT } from '@shapecast/engine/journal'
import { closePosition, liquidatePosition, openPosition } from '@shapecast/engine/position'
import { createRules } from '@shapecast/engine/rules'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyFill, type Holding, NOTHING } from './holding.ts'
import { least, numberOf, type Units, unitsOf } from './money.ts'

const held = (quantity: number, cost: number): Holding => ({ quantity: unitsOf(quantity), cost: unitsOf(cost) })
const fill = (side: 'buy' | 'sell', quantity: number, price: number, coins = 0) => ({
  side,
  quantity: unitsOf(quantity),
  price,
  coins: unitsOf(coins),
})

it.each([
  ['opens a long', 'futures', held(0, 0), fill('buy', 2, 100), held(2, 200), null],
  ['adds to a long', 'futures', held(2, 200), fill('buy', 2, 110), held(4, 420), null],
  ['closes a half of a long', 'futures', held(4, 420), fill('sell', 2, 115), held(2, 210), 20],
  ['opens a short', 'futures', held(0, 0), fill('sell', 2, 100), held(-2, 200), null],
  ['closes a short with a gain', 'futures', held(-2, 200), fill('buy', 2, 90), held(0, 0), 20],
  ['closes a short with a loss', 'futures', held(-2, 200), fill('buy', 1, 130), held(-1, 100), -30],
  ['turns a long round', 'futures', held(2, 200), fill('sell', 5, 110), held(-3, 330), 20],
  ['buys coins, a fee in them taken off', 'spot', held(0, 0), fill('buy', 1, 100, 0.001), held(0.999, 99.9), null],
  ['sells a third of coins', 'spot', held(0.3, 30), fill('sell', 0.1, 110), held(0.2, 20), 1],
  ['sells what is held and no more', 'spot', held(1, 100), fill('sell', 2, 110), held(0, 0), 10],
  ['sells coins of other origin', 'spot', held(0, 0), fill('sell', 2, 110), held(0, 0), null],
] as const)('a fill that %s on %s', (_what, market, before, of, holding, pnl) => {
  expect(applyFill(market, before, of)).toEqual({ holding, pnl: pnl === null ? null : unitsOf(pnl) })
})

const size = (units: Units): Units => (units < 0n ? -units : units)
const aFill = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  quantity: fc.double({ min: 1e-7, max: 1e6, noNaN: true }).map(unitsOf),
  price: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
  /** Whether it closes exactly what is held. */
  all: fc.boolean(),
})
const market = fc.constantFrom('spot' as const, 'futures' as const)

describe('any fills', () => {
  it('keep money and cost together: cash − cost of longs + cost of shorts is the profit, to the unit', () => {
    fc.assert(
      fc.property(market, fc.array(aFill, { maxLength: 60 }), (on, fills) => {
        let [now, pnl, cash] = [NOTHING, 0n, 0n]
        for (const { side, price, all, ...of } of fills) {
          const quantity = all && now.quantity !== 0n ? size(now.quantity) : of.quantity
          const applied = applyFill(on, now, { side, quantity, price })
          const moved = size(applied.holding.quantity - now.quantity)
          const reduces = now.quantity !== 0n && now.quantity > 0n !== (side === 'buy')
          const closed = reduces ? least(moved, size(now.quantity)) : 0n
          // As it is booked: what closes and what opens are each worth a rounded notional.
          const worth = unitsOf(numberOf(closed) * price) + unitsOf(numberOf(moved - closed) * price)
          cash += side === 'buy' ? -worth : worth
          pnl += applied.pnl ?? 0n
          now = applied.holding
          expect(cash + (now.quantity < 0n ? -now.cost : now.cost)).toBe(pnl)
          expect(now.cost >= 0n && (now.quantity !== 0n || now.cost === 0n)).toBe(true)
          if (on === 'spot') expect(now.quantity >= 0n).toBe(true)
        }
      }),
    )
  })
})

it('the engine and the rule hold and earn the same through entries, parts, reversals and liquidations', () => {
  const rules = createRules(
    backtestSettings({
      market: 'futures',
      timeframe: '1h',
      initialBalance: 1e6,
      leverage: 5,
      sizing: { kind: 'percent_of_equity', pct: 50 },
      feeRate: 0.0006,
      slippageBps: 5,
      lotSize: 0.001,
    }),
  )
  const act = fc.record({
    does: fc.constantFrom('long', 'short', 'part', 'close', 'liquidate'),
    price: fc.double({ min: 0.8, max: 1.25, noNaN: true }),
    part: fc.integer({ min: 1, max: 9 }),
  })
  const seen = { entry: 0, exit: 0, liquidation: 0 }
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const account = createAccount(1e6)
      let now = NOTHING
      const apply = ({ kind, side, quantity, price, pnl, exitReason }: Fill) => {
        seen[exitReason === 'liquidation' ? exitReason : kind]++
        const buys = (kind === 'entry') === (side === 'long')
        const applied = applyFill('futures', now, { side: buys ? 'buy' : 'sell', quantity: unitsOf(quantity), price })
        now = applied.holding
        if (kind === 'exit') expect(Math.abs(numberOf(applied.pnl!) - pnl)).toBeLessThan(1e-5)
      }
      const trader = { account, rules, journal: { ...SILENT, fill: apply } }
      let time = 0
      let raw = 100
      for (const { does, price, part } of acts) {
        time += 3_600_000
        raw *= price
        const { side } = account
        if (does === 'long' || does === 'short') {
          const wanted = does === 'long' ? 1 : -1
          if (side !== 0 && side !== wanted) closePosition(trader, raw, 'reversal', time)
          openPosition(trader, wanted, raw, time)
        } else if (side !== 0 && does === 'liquidate') liquidatePosition(trader, time)
        else if (side !== 0) {
          const lots = Math.max(1, Math.floor((Math.abs(account.size) * 1000 * part) / 10)) / 1000
          const quantity = does === 'part' ? Math.min(lots, Math.abs(account.size)) : Math.abs(account.size)
          closePosition(trader, raw, 'signal', time, quantity)
        }
        expect(now.quantity).toBe(unitsOf(account.size))
        expect(Math.abs(numberOf(now.cost) - Math.abs(account.size) * account.entryPrice)).toBeLessThan(1e-5)
      }
    }),
    { numRuns: 500 },
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(50)
})
