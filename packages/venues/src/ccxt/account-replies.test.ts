import { describe, expect, it } from 'vitest'
import { balancesOf, venueFillOf, venueOrderOf, venuePositionOf } from './account-replies.ts'

describe('an order of ccxt', () => {
  it('is ours with all that it says', () => {
    const order = {
      id: '77',
      clientOrderId: 'sc1',
      symbol: 'BTC/USDT',
      side: 'sell',
      type: 'limit',
      status: 'open',
      amount: 0.01,
      filled: 0.004,
      average: 101.5,
      price: 100,
      timestamp: 1_700_000_000_000,
      fees: [
        { currency: 'USDT', cost: 0.0004 },
        { currency: 'BNB', cost: 0.00001 },
        { currency: undefined, cost: 1 },
        { currency: 'BTC', cost: undefined },
      ],
    }
    expect(venueOrderOf(order, 'BTCUSDT')).toEqual({
      id: '77',
      clientOrderId: 'sc1',
      symbol: 'BTCUSDT',
      side: 'sell',
      status: 'open',
      quantity: 0.01,
      filled: 0.004,
      average: 101.5,
      price: 100,
      fees: [
        { asset: 'USDT', amount: 0.0004 },
        { asset: 'BNB', amount: 0.00001 },
      ],
      timestampMs: 1_700_000_000_000,
    })
  })

  it('has filled nothing and has an unknown state when the reply says little', () =>
    expect(venueOrderOf({}, 'BTCUSDT')).toEqual({
      id: '',
      clientOrderId: '',
      symbol: 'BTCUSDT',
      side: 'buy',
      status: 'unknown',
      quantity: 0,
      filled: 0,
      average: null,
      price: null,
      fees: [],
      timestampMs: null,
    }))

  it.each([
    ['open', 'open'],
    ['closed', 'filled'],
    ['canceled', 'canceled'],
    ['canceling', 'open'],
    ['rejected', 'rejected'],
    ['expired', 'expired'],
    ['something new', 'unknown'],
  ])('that is %s is %s', (said, status) => expect(venueOrderOf({ status: said }, 'BTCUSDT')).toMatchObject({ status }))

  it('has an average once something is filled: its own, else the price', () => {
    const average = (over: object) => venueOrderOf({ price: 100, ...over }, 'BTCUSDT').average
    expect(average({ filled: 1, average: 99 })).toBe(99)
    expect(average({ filled: 1 })).toBe(100)
    expect(average({ filled: 0, average: 99 })).toBeNull()
    expect(average({ filled: 1, price: undefined })).toBeNull()
  })

  it('has no price as a market order, and counts its one fee where there is no list', () => {
    const fee = { currency: 'BTC', cost: 0.00001 }
    const order = { type: 'market', price: 100, fee }
    expect(venueOrderOf(order, 'BTCUSDT')).toMatchObject({ price: null, fees: [{ asset: 'BTC', amount: 0.00001 }] })
    expect(venueOrderOf({ ...order, fees: [] }, 'BTCUSDT').fees).toEqual([{ asset: 'BTC', amount: 0.00001 }])
    const fees = [{ currency: 'BNB', cost: 2 }]
    expect(venueOrderOf({ ...order, fees }, 'BTCUSDT').fees).toEqual([{ asset: 'BNB', amount: 2 }])
  })
})

describe('a trade of ccxt', () => {
  const trade = { id: '5', price: 100, amount: 0.004 }

  it('is ours where it has id, price and amount', () => {
    expect(venueFillOf(trade)).toEqual({ id: '5', price: 100, quantity: 0.004, fees: [], timestampMs: null })
    expect(venueFillOf({ ...trade, timestamp: 7 })).toMatchObject({ timestampMs: 7 })
  })

  it.each(['id', 'price', 'amount'])('is none without its %s', (name) =>
    expect(venueFillOf({ ...trade, [name]: undefined })).toBeNull(),
  )
})

describe('balances of ccxt', () => {
  it('are those of which there is any, also less than nothing', () => {
    const total = { BTC: 1, ETH: 0, BNB: undefined, USDT: -3 }
    expect(balancesOf({ total, free: { BTC: 0.4 }, used: { BTC: 0.6 } })).toEqual([
      { asset: 'BTC', total: 1, free: 0.4, used: 0.6 },
      { asset: 'USDT', total: -3, free: 0, used: 0 },
    ])
  })
})

describe('a position of ccxt', () => {
  it('is in coins: contracts by their size', () => {
    const said = { side: 'short', contracts: 3, contractSize: 0.001, entryPrice: 100, marginMode: 'cross' }
    const rest = { markPrice: 101, unrealizedPnl: -0.003, liquidationPrice: 150 }
    expect(venuePositionOf({ ...said, ...rest }, 'BTCUSDT', 5)).toEqual({
      symbol: 'BTCUSDT',
      side: 'short',
      quantity: 0.003,
      entryPrice: 100,
      markPrice: 101,
      unrealisedPnl: -0.003,
      liquidationPrice: 150,
      leverage: 5,
      margin: null,
      marginMode: 'cross',
    })
    expect(venuePositionOf({ contracts: 2, leverage: 3, marginMode: 'odd' }, 'BTCUSDT', 5)).toMatchObject({
      side: 'long',
      quantity: 2,
      entryPrice: Number.NaN,
      markPrice: null,
      unrealisedPnl: null,
      liquidationPrice: null,
      leverage: 3,
      marginMode: null,
    })
    const isolated = { contracts: 2, marginMode: 'isolated', collateral: 7 }
    expect(venuePositionOf(isolated, 'BTCUSDT', undefined)).toMatchObject({
      leverage: null,
      margin: 7,
      marginMode: 'isolated',
    })
    expect(venuePositionOf({}, 'BTCUSDT', 5)).toBeNull()
  })
})
