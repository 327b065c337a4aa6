import { describe, expect, it } from 'vitest'
import { GIVE_UP_AFTER_MS } from '../../src/exchange/order-progress.ts'
import { admin, bench, cancel, fault, later, only, order, price, sent, waiting } from './real-scene.ts'

const TAKING = { binance: /POST .*order$/, bybit: /POST .*create$/ }

/** What holds of a real order at every exchange: the same tests, whatever protocol is spoken. */
export function realOrderCases(venue: 'binance' | 'bybit'): void {
  describe(`a real order at ${venue}`, () => {
    it('of the market is sent once, and its fills and fees are what the exchange says', async () => {
      const { body, status } = await order()
      expect(status).toBe(200)
      expect(body).toMatchObject({
        isVirtual: false,
        venue,
        market: 'live',
        network: 'testnet',
        status: 'filled',
        filled: 0.01,
        average: price(),
        fees: [{ asset: 'BTC', amount: 0.00001 }],
        fee: 0,
        statusReason: null,
      })
      expect(body.clientOrderId).toMatch(/^sc[0-9a-f]{30}$/)
      const sold = (await order({ side: 'sell' })).body
      expect(sold.fee).toBeCloseTo(0.01 * price() * 0.001, 7)
      expect(sent().map((o) => o.clientOrderId)).toEqual([body.clientOrderId, sold.clientOrderId])
      expect((await bench.ask('GET', '/api/balance', undefined, admin)).body).toMatchObject({
        isVirtual: true,
        balance: 10_000,
      })
    })

    it('with a limit waits, is filled in part, cancelled, and keeps what was filled', async () => {
      bench.exchange.faults.partialFills.push(0.4)
      const limit = Math.ceil(price() + 10)
      const used = async () => (await bench.ask('GET', '/api/accounts/limits', undefined, admin)).body.usedNotional
      const { body } = await order({ type: 'limit', price: limit })
      expect(body).toMatchObject({ status: 'open', amount: 0.01, filled: 0.004 })
      expect(body.fees).toEqual([{ asset: 'BTC', amount: 0.000004 }])
      expect(await used()).toBeCloseTo(0.01 * limit, 8)
      const cancelled = await bench.ask('DELETE', `/api/orders/${body.id}`, undefined, admin)
      expect(cancelled.body).toMatchObject({ status: 'cancelled', filled: 0.004 })
      // Of its day's limit it keeps what was filled: four tenths.
      expect(await used()).toBeCloseTo(0.004 * limit, 8)
      expect((await bench.ask('DELETE', `/api/orders/${body.id}`, undefined, admin)).status).toBe(409)
      expect(sent()).toMatchObject([{ status: 'CANCELED', filled: 0.004 }])
    })

    it('that waits is followed by the worker, part by part, to its end', async () => {
      bench.exchange.faults.partialFills.push(0.4)
      const { body } = await order({ type: 'limit', price: Math.ceil(price() + 10) })
      const { book } = bench.exchange.spot
      book.fillRest(book.find('BTCUSDT', { clientOrderId: body.clientOrderId }))
      await bench.room.reconcileOrders()
      expect(await only()).toMatchObject({ status: 'open', filled: 0.004 })
      await later(6_000)
      const filled = await only()
      expect(filled).toMatchObject({ id: body.id, status: 'filled', filled: 0.01 })
      expect(filled.fees).toEqual([{ asset: 'BTC', amount: 0.00001 }])
      expect(sent()).toHaveLength(1)
    })

    it('that fills while it is being cancelled is filled, and not said to be cancelled', async () => {
      const { id, clientOrderId } = await waiting()
      const { book } = bench.exchange.spot
      book.fillRest(book.find('BTCUSDT', { clientOrderId }))
      const refused = await cancel(id)
      expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('filled already')])
      expect(await only()).toMatchObject({ status: 'filled', filled: 0.01 })
    })

    it('whose answer is lost is in doubt, is looked up and never sent again', async () => {
      fault(TAKING[venue], { kind: 'lose-reply' })
      const { body } = await order({}, 'lost')
      expect(body).toMatchObject({ status: 'sending' })
      expect((await order({}, 'lost')).body.id).toBe(body.id)
      await later(2_000)
      expect(await only()).toMatchObject({ id: body.id, status: 'filled', filled: 0.01 })
      expect(sent()).toHaveLength(1)
    })

    it('that the exchange cannot be sure of is in doubt, and not placed once it cannot arrive any more', async () => {
      fault(TAKING[venue], { kind: 'status', status: 502 })
      expect((await order()).body).toMatchObject({ status: 'sending' })
      await later(GIVE_UP_AFTER_MS - 10_000)
      expect(await only()).toMatchObject({ status: 'sending' })
      await later(10_000)
      expect(await only()).toMatchObject({ status: 'not_placed' })
      expect(sent()).toEqual([])
    })

    it('that it refuses, or has no time for, is not one', async () => {
      expect((await order({ amount: 50 })).body).toMatchObject({ code: 'insufficient_funds' })
      fault(TAKING[venue], { kind: 'limited', status: 429, retryAfterS: 0.05 })
      expect((await order()).status).toBe(503)
      const states = (await bench.ask('GET', '/api/orders', undefined, admin)).body
      expect(states.map(({ status }: { status: string }) => status)).toEqual(['not_placed', 'rejected'])
      expect(sent()).toEqual([])
    })

    it('with a stop-loss is guarded at the exchange, and is sold with the stop cancelled first', async () => {
      const trade = () =>
        bench.ask('POST', '/api/ml/auto-trade', { symbol: 'BTCUSDT', amount: 0.01, isVirtual: false }, admin)
      bench.said = { signal: 'BUY', stopLoss: Math.floor(price() * 0.97) }
      const bought = (await trade()).body
      expect(bought).toMatchObject({ order: { status: 'filled' }, stopOrder: { status: 'open', type: 'stop' } })
      expect(bench.exchange.spot.locked('BTC')).toBeCloseTo(0.00999, 9)
      bench.said = { signal: 'SELL' }
      expect((await trade()).body).toMatchObject({ action: 'sold', order: { filled: 0.00999 } })
      expect(sent().map(({ type, status }) => [type, status])).toEqual([
        ['MARKET', 'FILLED'],
        ['STOP_LOSS', 'CANCELED'],
        ['MARKET', 'FILLED'],
      ])
    })
  })
}
