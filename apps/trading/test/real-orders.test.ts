import { describe, expect, it } from 'vitest'
import { GIVE_UP_AFTER_MS } from '../src/exchange/order-progress.ts'
import { realOrderCases } from './support/real-order-cases.ts'
import {
  admin,
  bench,
  cancel,
  fault,
  keys,
  later,
  list,
  only,
  openRealScene,
  order,
  price,
  sent,
  waiting,
  written,
} from './support/real-scene.ts'

openRealScene()
realOrderCases('binance')

describe('a real order', () => {
  it('keeps every part with price, amount, fee and id, so that average and fees are exact, in BNB too', async () => {
    const { exchange } = bench
    exchange.spot.balances.set('BNB', 10)
    exchange.spot.feesIn = { asset: 'BNB', price: 600 }
    exchange.faults.partialFills.push(0.3)
    const limit = Math.ceil(price() + 10)
    const { body } = await order({ type: 'limit', price: limit })
    const { book } = exchange.spot
    book.fillRest(book.find('BTCUSDT', { clientOrderId: body.clientOrderId }))
    await later(6_000)
    const filled = await only()
    const ids = sent()[0]!.fills.map(({ tradeId }) => String(tradeId))
    expect(filled.fills).toMatchObject([
      { tradeId: ids[0], price: price(), amount: 0.003 },
      { tradeId: ids[1], price: limit, amount: 0.007 },
    ])
    expect(filled.average).toBeCloseTo(0.3 * price() + 0.7 * limit, 9)
    const fee = (quantity: number, at: number) => (quantity * at * 0.001) / 600
    expect(filled.fills[1].fees).toEqual([{ asset: 'BNB', amount: expect.closeTo(fee(0.007, limit), 7) }])
    expect(filled.fees).toEqual([{ asset: 'BNB', amount: expect.closeTo(fee(0.003, price()) + fee(0.007, limit), 7) }])
    expect(filled.fee).toBe(0)
  })

  it('books no trades of an order that traded more than was ordered, and says so at every look', async () => {
    bench.exchange.faults.partialFills.push(1.5)
    await order()
    for (let looks = 0; looks < 3; looks++) await later(60_000)
    const { fills, fee, statusReason } = await only()
    expect([fills, fee]).toEqual([[], 0])
    expect(statusReason).toMatch(
      /^The exchange tells trades of 0\.015 for the order sc[0-9a-f]{30} of BTCUSDT, which was of 0\.01\. They are not booked\./,
    )
  })

  it('does not send a limit order while the most wait already, but sends a market order', async () => {
    bench.between.wrap = (trading) => ({ ...trading, mostWaiting: async () => ({ conditional: 5, all: 2 }) })
    await waiting()
    await waiting()
    expect(await waiting()).toMatchObject({
      code: 'unprocessable',
      error: expect.stringContaining('Binance lets at most 2 orders of BTCUSDT wait in one account'),
    })
    expect(await order()).toMatchObject({ status: 200, body: { status: 'filled' } })
    expect(sent()).toHaveLength(3)
  })

  it('leaves an order in doubt after an error of the exchange until it is looked up', async () => {
    fault(/POST .*order/, {
      kind: 'status',
      status: 503,
      body: '{"code":-9999,"msg":"Unknown error, please try again later."}',
    })
    const { status, body } = await order({}, 'odd')
    expect([status, body.status]).toEqual([200, 'sending'])
    await later(GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({ status: 'not_placed' })
    expect(sent()).toEqual([])
  })

  it('is not given up for one answer that the exchange does not know it', async () => {
    fault(/POST .*order/, { kind: 'lose-reply' })
    expect((await order({}, 'odd')).body.status).toBe('sending')
    fault(/GET .*order/, { kind: 'status', status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' })
    await later(GIVE_UP_AFTER_MS)
    expect(await only()).toMatchObject({ status: 'filled', filled: 0.01 })
    expect(sent()).toHaveLength(1)
  })

  it('is written down with every part that is new, and once', async () => {
    bench.exchange.faults.partialFills.push(0.4)
    const { body } = await order({ type: 'limit', price: Math.ceil(price() + 10) })
    for (let i = 0; i < 2; i++) await later(60_000)
    const first = [
      ['intent', 'reply'],
      ['order.placed', 'order.open'],
    ]
    expect(await written(body.id)).toEqual(first)
    bench.between.wrap = (trading) => ({
      ...trading,
      findOrder: async (...of) => ({ ...(await trading.findOrder(...of))!, filled: 0.006 }),
    })
    await keys()
    for (let i = 0; i < 2; i++) await later(60_000)
    expect(await written(body.id)).toEqual([
      [...first[0]!, 'look'],
      [...first[1]!, 'order.open'],
    ])
    expect(await only()).toMatchObject({ status: 'open', filled: 0.006 })
  })

  it('records the reason of the exchange with a refused order', async () => {
    await order({ amount: 50 })
    const { id, closedAt } = await only()
    expect(closedAt).not.toBeNull()
    expect(await written(id)).toEqual([
      ['intent', 'failure: insufficient_funds'],
      ['order.placed', 'order.rejected'],
    ])
  })

  it('looks an order in doubt up before it is cancelled', async () => {
    fault(/POST .*order/, { kind: 'lose-reply' })
    const { id, status } = await waiting()
    expect(status).toBe('sending')
    expect(await written(id)).toEqual([['intent', 'failure: order_ambiguous'], ['order.placed']])
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled' })
    fault(/POST .*order/, { kind: 'lose-reply' })
    const bought = (await order()).body
    const asks = bench.exchange.requests.length
    const refused = await cancel(bought.id)
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('filled already')])
    expect(bench.exchange.requests.slice(asks).some(({ name }) => name.startsWith('DELETE'))).toBe(false)
    expect(sent().map((o) => o.status)).toEqual(['CANCELED', 'FILLED'])
  })

  it('is in doubt where something of ours breaks after it was sent', async () => {
    bench.between.wrap = (trading) => ({
      ...trading,
      createOrder: async (request) => {
        await trading.createOrder(request)
        throw new TypeError('of ours')
      },
    })
    await keys()
    const { body } = await order()
    expect(body).toMatchObject({ status: 'sending' })
    expect(await written(body.id)).toEqual([['intent', 'failure: internal'], ['order.placed']])
    await later(1)
    expect(await only()).toMatchObject({ status: 'filled' })
    expect(sent()).toHaveLength(1)
  })

  it('is cancelled with all others, past one that the exchange does not answer about, and the rest at the next call', async () => {
    const [first, second] = [await waiting(), await waiting()]
    const virtual = await order({ type: 'limit', price: Math.floor(price() - 1_000), isVirtual: true })
    fault(/DELETE .*order/, { kind: 'status', status: 503 })
    const all = () => bench.ask('DELETE', '/api/orders?isVirtual=false', undefined, admin)
    const { status, body } = await all()
    expect([status, body.cancelled, body.failed]).toEqual([
      200,
      [second.id],
      [{ id: first.id, error: expect.stringMatching(/exchange|Binance/i) }],
    ])
    expect((await all()).body).toEqual({ cancelled: [first.id], failed: [] })
    expect(sent().map((o) => o.status)).toEqual(['CANCELED', 'CANCELED'])
    const left = (await list()).filter((one: { status: string }) => one.status === 'open')
    expect(left.map((one: { id: string }) => one.id)).toEqual([virtual.body.id])
  })

  it('looks an order up at the next call when its cancellation was not answered', async () => {
    const { id } = await waiting()
    for (let i = 0; i < 3; i++) await later(20_000)
    fault(/DELETE .*order/, { kind: 'lose-reply' })
    fault(/GET .*order/, { kind: 'status', status: 503 })
    expect((await cancel(id)).status).toBe(503)
    expect(await only()).toMatchObject({ status: 'open' })
    await later(1)
    expect(await only()).toMatchObject({ status: 'cancelled' })
  })
})
