import type { AppError } from '@shapecast/contracts/errors'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBotStorm } from './support/bot-storm.ts'
import { createRealBotsBench, type RealBotsBench } from './support/real-bots-bench.ts'

let bench: RealBotsBench
beforeAll(async () => {
  bench = await createRealBotsBench()
})
afterAll(() => bench.end())

const says = (status: number, code: number, msg: string) =>
  ({ kind: 'status', status, body: JSON.stringify({ code, msg }) }) as const
const FAULTS = [
  { at: /(POST|GET|DELETE) .*order|myTrades|account/, fault: { kind: 'lose-reply' } },
  { at: /(POST|GET|DELETE) .*order|myTrades|account/, fault: { kind: 'drop' } },
  { at: /(POST|DELETE) .*order/, fault: { kind: 'unknown-outcome' } },
  { at: /(POST|GET|DELETE) .*order/, fault: { kind: 'status', status: 502 } },
  { at: /(POST|GET|DELETE) .*order/, fault: { kind: 'limited', status: 429, retryAfterS: 0.02 } },
  { at: /POST .*order/, fault: says(400, -1013, 'Filter failure: PERCENT_PRICE_BY_SIDE') },
  { at: /GET .*order/, fault: says(400, -2013, 'Order does not exist.') },
] as const

it.each([21])(
  'through faults and killed processes (storm %i) two bots on one account lose and double nothing',
  async (seed) => {
    await bench.fresh()
    const { exchange } = bench
    const ids = [
      await bench.started({ name: 'A', stopLossPct: 2, takeProfitPct: 2, maxDrawdown: 50 }),
      await bench.started({ name: 'B', positionSize: 0.02, takeProfitPct: 1, maxDrawdown: 50 }),
    ]
    const storm = createBotStorm(bench, { seed, faults: FAULTS })
    let closes = 0
    let price = 20_000
    // Which calls the faults meet depends on the turns of the processes: on until enough of both has happened.
    const isEnough = () => storm.kills() > 2 && bench.sent().length > 4
    for (let step = 0; step < 14 || (!isEnough() && step < 60); step++) {
      const told = { member: bench.owner, request: null }
      if (storm.random() < 0.3)
        await bench.control
          .closePosition(storm.pick(ids), { symbol: 'BTCUSDT', confirm: 'real money' }, told)
          .catch((error: AppError) => expect(error.message).toContain('holds no BTCUSDT by now'))
      await storm.step(() => {
        bench.script.signal = storm.pick(['BUY', 'BUY', 'SELL', 'HOLD'])
        price = Math.round(price * (1 + 0.03 * (storm.random() - 0.5)))
        bench.close(price)
        closes++
      })
    }
    storm.calm()
    for (let k = 0; k < 5; k++) await bench.settle(130_000)
    expect(isEnough()).toBe(true)

    const theirs = new Map(bench.sent().map((order) => [order.clientOrderId, order]))
    expect(theirs.size).toBe(bench.sent().length)
    let [coins, money] = [0, 0]
    for (const id of ids) {
      expect(await bench.bot(id)).toMatchObject({ status: 'active', statusReason: null })
      const orders = await bench.orders(id)
      for (const order of orders) {
        const at = theirs.get(order.clientOrderId)
        theirs.delete(order.clientOrderId)
        if (at === undefined) expect(['rejected', 'not_placed']).toContain(order.status)
        else expect([order.clientOrderId, order.filled]).toEqual([order.clientOrderId, at.filled])
      }
      // Every candle is decided once, and none is left out.
      const decisions = await bench.decisions(id)
      expect(new Set(decisions.map(({ candleTs }) => candleTs)).size).toBe(closes)
      expect(decisions).toHaveLength(closes)
      const byId = new Map(orders.map((order) => [order.id, order]))
      for (const { orderId, action } of decisions) {
        const order = orderId === null ? null : byId.get(orderId)!
        if (action === 'opened_long') expect(order).toMatchObject({ side: 'buy' })
        if (action === 'no_order' && order !== null) expect(order.filled).toBe(0)
      }
      const { rows } = await bench.db.pool.query<{ coins: string; money: string }>(
        `select coalesce(sum(p.quantity), 0) as coins, max(a.balance) as money
         from trading.accounts a left join trading.positions p on p.account_id = a.id where a.owner_id = $1`,
        [id],
      )
      coins += Number(rows[0]!.coins)
      money += Number(rows[0]!.money) - 1_000
    }
    // Everything at the exchange is known here, and both have the same coins and money.
    expect([...theirs.keys()]).toEqual([])
    expect(exchange.spot.balances.get('BTC')! - 1).toBeCloseTo(coins, 7)
    expect(exchange.spot.balances.get('USDT')! - 100_000).toBeCloseTo(money, 5)
    const { rows: doubt } = await bench.db.pool.query(
      "select 1 from trading.orders where status = 'sending' or (to_settle and status <> 'open')",
    )
    expect(doubt).toEqual([])
    await storm.close()
  },
)
