import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { createPortfolio } from '@shapecast/engine/portfolio'
import { createRules } from '@shapecast/engine/rules'
import { describe, expect, it } from 'vitest'
import { freeCash } from './move-orders.ts'
import { restOf } from './real-rests.ts'

const rules = createRules(
  backtestSettings({
    market: 'spot',
    timeframe: '1h',
    initialBalance: 1000,
    leverage: 1,
    sizing: { kind: 'fixed', quantity: 1 },
    feeRate: 0.001,
    lotSize: 0.001,
    targetBand: 0.05,
    postOnly: { makerFeeRate: 0.0002, tickSize: 0.1 },
  }),
)
const fill = {
  symbol: 'BTCUSDT',
  kind: 'entry',
  side: 'long',
  quantity: 6,
  price: 100.1,
  rawPrice: 100.04,
  time: 0,
  fee: 0,
  exitReason: null,
} as unknown as Parameters<typeof restOf>[0]
const at = { closeMs: 3_600_000, nowMs: 3_600_500, cash: 1000 }
const rested = (given: object, where: object = {}) =>
  restOf({ ...fill, ...given }, { rules, price: 100.2 }, { ...at, ...where })

describe('an order that rests', () => {
  it('stands at the close, rounded to a tick away from the market, until an hour after it', () => {
    expect(rested({})!.rest).toMatchObject({ side: 1, quantity: 6, until: 7_200_000, open: 100.2 })
    expect(rested({})!.rest.limit).toBeCloseTo(100, 9)
    expect(rested({ kind: 'exit' })!.rest.limit).toBeCloseTo(100.1, 9)
  })

  it('buys with the money that is free alone: of 500 at 100 and 10 bps 4.995, not 6', () => {
    expect(rested({}, { cash: 500 })!.rest.quantity).toBeCloseTo(4.995, 9)
    expect(rested({ kind: 'exit' }, { cash: 0 })!.rest.quantity).toBe(6)
  })

  it('is none where its hour is over, or the bot takes', () => {
    expect(rested({}, { nowMs: 7_200_000 })).toBeNull()
    expect(restOf(fill, { rules: { ...rules, postOnly: null }, price: 100 }, at)).toBeNull()
  })

  it('has its money set aside: of 1,000 less a position of 200, 300 that rest and 100 wanted now 400 are free', () => {
    const portfolio = createPortfolio(1000, ['BTCUSDT'])
    Object.assign(portfolio.pairs[0]!.account, { side: 1, size: 2, entryPrice: 100 })
    const ledger = { resting: new Map([['ETHUSDT', { id: 'a', cost: 300, isEnding: false }]]) }
    const wanted = [
      { closes: false, quantity: 1, price: 100 },
      { closes: true, quantity: 1, price: 50 },
    ]
    expect(freeCash(portfolio, ledger as never, wanted as never)).toBe(400)
  })
})
