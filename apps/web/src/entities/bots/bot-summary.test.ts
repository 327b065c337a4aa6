import { describe, expect, it } from 'vitest'
import { stateWords, summaryOf, winRatePctOf } from './bot-summary.ts'

const bot = (change: object = {}) => ({
  status: 'active' as const,
  currentBalance: 110,
  totalPnL: 10,
  closedPnL: 4,
  openPnL: 6,
  isVirtual: true,
  positions: [],
  ...change,
})
const held = (symbol: string, side: 'long' | 'short', worth: number) => ({
  symbol,
  side,
  worth,
  quantity: 1,
  entryPrice: 1,
  markPrice: 1,
  unrealizedPnL: 0,
})

describe('summary of own bots', () => {
  it('sums what bots are worth and have made, closed and open', () => {
    const summary = summaryOf([bot(), bot({ status: 'paused', currentBalance: 45, totalPnL: -5, openPnL: -9 })])
    expect(summary).toMatchObject({ count: 2, active: 1, paused: 1, real: null })
    expect(summary.money).toMatchObject({ isVirtual: true, equity: 155, pnl: 5, closed: 8, open: -3 })
  })

  it('sums what is held of each coin over all bots, a short against the rest', () => {
    const { money } = summaryOf([
      bot({ positions: [held('BTCUSDT', 'long', 300), held('ETHUSDT', 'long', 50)] }),
      bot({ positions: [held('ETHUSDT', 'short', 90)] }),
    ])
    expect(money).toMatchObject({ positions: 3, worth: 440 })
    expect(money.exposure).toEqual([
      { asset: 'BTC', worth: 300 },
      { asset: 'ETH', worth: -40 },
    ])
  })

  it('never adds virtual and real money: 110 real beside 220 virtual', () => {
    const { money, real } = summaryOf([bot(), bot(), bot({ isVirtual: false })])
    expect(money).toMatchObject({ isVirtual: true, equity: 220, pnl: 20 })
    expect(real).toMatchObject({ isVirtual: false, equity: 110, pnl: 10 })
    expect(summaryOf([bot({ isVirtual: false })])).toMatchObject({
      money: { isVirtual: false, equity: 110 },
      real: null,
    })
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
