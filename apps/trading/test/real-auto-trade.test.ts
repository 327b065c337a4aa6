import { describe, expect, it } from 'vitest'
import { admin, bench, fault, openRealScene, sent } from './support/real-scene.ts'

openRealScene()

describe('a real auto-trade', () => {
  const trade = (over: object = {}, key?: string, as = admin) =>
    bench.ask(
      'POST',
      '/api/ml/auto-trade',
      { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false, enableStopLoss: false, ...over },
      as,
      key,
    )

  it('buys on BUY, once a candle, and sells on SELL no more than it bought', async () => {
    bench.said = { signal: 'BUY' }
    const bought = (await trade()).body
    expect(bought).toMatchObject({
      isVirtual: false,
      network: 'testnet',
      action: 'bought',
      order: { status: 'filled', filled: 0.01, source: 'auto_trade' },
      stopOrder: null,
    })
    expect(bought.decision).toContain('without a stop-loss')
    expect(bought.notice).toContain('testnet')
    expect((await trade()).body).toMatchObject({ code: 'conflict', error: expect.stringContaining('acted on already') })
    bench.said = { signal: 'SELL' }
    // 0.01 less the fee of 0.00001 BTC; the other 1 BTC of the account stays.
    expect((await trade()).body).toMatchObject({ action: 'sold', order: { side: 'sell', filled: 0.00999 } })
    const again = (await trade({}, 'again')).body
    expect(again).toMatchObject({ action: 'none', order: null })
    expect(sent()).toHaveLength(2)
    expect(bench.exchange.spot.balances.get('BTC')).toBeCloseTo(1, 9)
    expect(bench.exchange.spot.balances.get('BTC')).toBeGreaterThanOrEqual(1 - 1e-9)
  })

  it('does nothing on HOLD, and sells nothing that it has not bought', async () => {
    for (const signal of ['HOLD', 'SELL'] as const) {
      bench.said = { signal }
      expect((await trade()).body).toMatchObject({ action: 'none', order: null, isVirtual: false })
    }
    expect(sent()).toEqual([])
  })

  it('under one key is one, whatever the model says meanwhile, and reports its result', async () => {
    bench.said = { signal: 'BUY' }
    fault(/POST .*order/, { kind: 'lose-reply' })
    const replies = await Promise.all(Array.from({ length: 5 }, () => trade({}, 'once')))
    const ids = new Set(replies.map(({ body }) => body.order.id))
    expect(ids.size).toBe(1)
    expect((await trade({}, 'once')).body.decision).toContain('NOT KNOWN YET')
    bench.said = { signal: 'SELL' }
    await bench.room.reconcileOrders()
    const after = (await trade({}, 'once')).body
    expect(after).toMatchObject({ action: 'bought', order: { status: 'filled' } })
    expect(after.decision).toContain('bought 0.01 BTC at')
    expect(sent()).toHaveLength(1)
  })

  it('says under its key that it came to nothing', async () => {
    bench.said = { signal: 'BUY' }
    fault(/POST .*order/, { kind: 'limited', status: 429, retryAfterS: 0.05 })
    expect((await trade({}, 'nothing')).status).toBe(503)
    const { body } = await trade({}, 'nothing')
    expect(body).toMatchObject({ order: { status: 'not_placed' } })
    expect(body.decision).toContain('nothing was traded. binance takes no requests')
    expect(sent()).toEqual([])
  })

  it('does not sell the same coins twice at once', async () => {
    bench.said = { signal: 'BUY' }
    await trade()
    bench.said = { signal: 'SELL' }
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((key) => trade({}, key)))
    expect(replies.filter(({ body }) => body.action === 'sold')).toHaveLength(1)
    expect(sent()).toHaveLength(2)
  })
})
