import { describe, expect, it } from 'vitest'
import { stateWords, summaryOf, winRatePctOf } from './bot-summary.ts'

const bot = (change: object = {}) => ({
  status: 'active' as const,
  currentBalance: 110,
  initialBalance: 100,
  totalPnL: 10,
  isVirtual: true,
  ...change,
})

describe('summary of own bots', () => {
  it('sums 110 and 45 of 100 and 50 to 155, a gain of 5 or 3.33 %', () => {
    const summary = summaryOf([bot(), bot({ status: 'paused', currentBalance: 45, initialBalance: 50, totalPnL: -5 })])
    expect(summary).toMatchObject({ count: 2, active: 1, paused: 1, other: null })
    expect(summary.main).toMatchObject({ isVirtual: true, balance: 155, initialBalance: 150, pnl: 5 })
    expect(summary.main.returnPct).toBeCloseTo(3.3333, 3)
  })

  it('knows no return without bots', () => {
    expect(summaryOf([])).toMatchObject({ count: 0, main: { balance: 0, returnPct: null }, other: null })
  })

  it('never adds virtual and real money: 110 real beside 220 virtual', () => {
    const { main, other } = summaryOf([bot(), bot(), bot({ isVirtual: false })])
    expect(main).toMatchObject({ isVirtual: false, balance: 110, pnl: 10, returnPct: 10 })
    expect(other).toMatchObject({ isVirtual: true, balance: 220, pnl: 20, returnPct: 10 })
  })

  it('names other states only where there are some', () => {
    expect(stateWords(summaryOf([]))).toBe('0 active')
    expect(stateWords(summaryOf([bot(), bot({ status: 'error' }), bot({ status: 'paused' })]))).toBe(
      '1 active · 1 paused · 1 in error',
    )
  })

  it('knows no win rate of a bot without a closed trade', () => {
    expect(winRatePctOf({ totalTrades: 0, winningTrades: 0 })).toBeNull()
    expect(winRatePctOf({ totalTrades: 8, winningTrades: 3 })).toBe(37.5)
  })
})
