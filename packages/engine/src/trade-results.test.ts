import { describe, expect, it } from 'vitest'
import { heldTimeOf, tradeResultsOf } from './trade-results.ts'

const trades = (...results: number[]) => results.map((netPnL) => ({ netPnL, fees: 0.5 }))

describe('results of closed trades', () => {
  it('averages +30, −10, −20 and +8 to 2 a trade, 19 a win and −15 a loss', () => {
    expect(tradeResultsOf(trades(30, -10, -20, 8))).toEqual({
      trades: 4,
      expectancy: 2,
      averageWin: 19,
      averageLoss: -15,
      longestLosingRun: 2,
      fees: 2,
    })
  })

  it('counts the longest run of losses, of which a trade that made nothing is one', () => {
    expect(tradeResultsOf(trades(-1, 2, -1, 0, -3, 4, -1, -1)).longestLosingRun).toBe(3)
  })

  it('has no averages without trades', () => {
    expect(tradeResultsOf([])).toEqual({
      trades: 0,
      expectancy: null,
      averageWin: null,
      averageLoss: null,
      longestLosingRun: 0,
      fees: 0,
    })
  })
})

describe('time in the market', () => {
  const closes = { atMs: [10, 20, 30, 40, 50], equity: [100, 100, 200, 100, 50] }

  it('counts the closes between the candle of the entry and that of the exit', () => {
    // Entered in the candle that closes at 20, left in the one that closes at 40: held at 20 and 30.
    const spell = { entryTime: 10, exitTime: 30, entryPrice: 25, quantity: 2 }
    expect(heldTimeOf([spell], closes)).toEqual({ timeInMarketPct: 40, exposurePct: 15 })
  })

  it('adds what is held at once, and goes on to the end with what is open', () => {
    const spells = [
      { entryTime: 20, exitTime: Number.POSITIVE_INFINITY, entryPrice: 10, quantity: 5 },
      { entryTime: 30, exitTime: 40, entryPrice: 50, quantity: 1 },
    ]
    // Held at 30, 40 and 50; 50/200, 100/100 and 50/50 of the equity.
    expect(heldTimeOf(spells, closes)).toEqual({ timeInMarketPct: 60, exposurePct: 45 })
  })

  it('does not count what was entered and left within one candle', () => {
    expect(heldTimeOf([{ entryTime: 20, exitTime: 20, entryPrice: 10, quantity: 1 }], closes)).toEqual({
      timeInMarketPct: 0,
      exposurePct: 0,
    })
  })

  it('says nothing before the first close', () => {
    expect(heldTimeOf([], { atMs: [], equity: [] })).toBeNull()
  })
})
