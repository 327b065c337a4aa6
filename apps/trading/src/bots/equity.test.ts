import { describe, expect, it } from 'vitest'
import { equityOf } from './equity.ts'

const held = (symbol: string, quantity: number, cost: number) => ({ symbol, quantity, cost, openedAtMs: 0 })
const at =
  (prices: Record<string, number>) =>
  ({ symbol }: { symbol: string }): { markPrice: number; markedBy: 'last' } => ({
    markPrice: prices[symbol]!,
    markedBy: 'last',
  })

describe('the equity of a bot', () => {
  it('is its money with a long at the newest price, and a short with what the price has fallen', () => {
    // Paid 200 for 2 at 100, and 0.12 for it: the ledger has 999.88. Sold 3 short at 50: 150, fee 0.09.
    const ledger = {
      initialBalance: 1000,
      balance: 999.79,
      closedPnL: 0,
      held: [held('AUSDT', 2, 200), held('BUSDT', -3, 150)],
    }
    const money = equityOf(ledger, at({ AUSDT: 110, BUSDT: 40 }))
    expect(money.positions).toMatchObject([
      { symbol: 'AUSDT', side: 'long', quantity: 2, entryPrice: 100, markPrice: 110, worth: 220, unrealizedPnL: 20 },
      { symbol: 'BUSDT', side: 'short', quantity: 3, entryPrice: 50, markPrice: 40, worth: 120, unrealizedPnL: 30 },
    ])
    expect(money.equity).toBeCloseTo(1049.79, 9)
    expect([money.closedPnL, money.openPnL]).toEqual([0, expect.closeTo(49.79, 9)])
  })

  it('has in what is closed the share of the entry fee, and in what is open the rest of it', () => {
    // Bought 2 at 100 (fee 0.12), sold 1 at 110 (fee 0.066): 10 − 0.066 − 0.06 = 9.874 closed.
    const ledger = { initialBalance: 1000, balance: 1009.814, closedPnL: 9.874, held: [held('AUSDT', 1, 100)] }
    const money = equityOf(ledger, at({ AUSDT: 105 }))
    expect(money.equity).toBeCloseTo(1014.814, 9)
    // 5 of the price, less the 0.06 that was paid for it.
    expect(money.openPnL).toBeCloseTo(4.94, 9)
  })

  it('has nothing open where nothing is held', () => {
    const ledger = { initialBalance: 0.3, balance: 0.1 + 0.3, closedPnL: 0.1, held: [] }
    expect(equityOf(ledger, at({}))).toMatchObject({ openPnL: 0, positions: [] })
  })
})
