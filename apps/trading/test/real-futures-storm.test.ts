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
const ORDERS = /(POST|GET|DELETE) .*(order|algoOrder)$/
const ANY = /(POST|GET|DELETE) .*(order|algoOrder|userTrades|positionRisk|income|forceOrders)$/
const FAULTS = [
  { at: ANY, fault: { kind: 'lose-reply' } },
  { at: ANY, fault: { kind: 'drop' } },
  { at: /(POST|DELETE) .*(order|algoOrder)$/, fault: { kind: 'unknown-outcome' } },
  { at: ORDERS, fault: { kind: 'status', status: 502 } },
  { at: ORDERS, fault: { kind: 'limited', status: 429, retryAfterS: 0.02 } },
  {
    at: /POST .*order$/,
    fault: says(400, -4131, 'The counterparty best price does not meet the PERCENT_PRICE filter.'),
  },
  { at: /GET .*order$/, fault: says(400, -2013, 'Order does not exist.') },
] as const

it.each([34])(
  'through faults, funding, liquidations and killed processes (storm %i) a bot on futures loses and doubles nothing',
  async (seed) => {
    await bench.fresh()
    const { futures } = bench.exchange
    const stopsBefore = futures.stops.all.length
    const id = await bench.started({
      marketType: 'futures',
      leverage: 25,
      stopLossPct: 3,
      takeProfitPct: 2,
      maxDrawdown: 50,
      positionSize: 0.016,
    })
    const storm = createBotStorm(bench, { seed, faults: FAULTS })
    const { random, pick } = storm
    let closes = 0
    let price = 20_000
    // Which calls the faults meet depends on the turns of the processes: on until enough of both has happened.
    const isEnough = () => storm.kills() > 2 && bench.sentFutures().length > 6
    for (let step = 0; step < 14 || (!isEnough() && step < 60); step++)
      await storm.step(() => {
        if (random() < 0.3) futures.fund('BTCUSDT', 0.001 * (random() - 0.5))
        bench.script.signal = pick(['BUY', 'SELL', 'BUY', 'SELL', 'HOLD'])
        price = Math.round(price * (1 + pick([0.03, 0.03, 0.12]) * (random() - 0.5)))
        bench.close(price)
        closes++
      })
    storm.calm()
    for (let k = 0; k < 4; k++) await bench.settle(130_000)
    expect(await bench.bot(id)).toMatchObject({ status: 'active', statusReason: null })
    // After a closing order that was refused the next one waits for 15 s of the market's clock.
    bench.close(price)
    closes++
    await bench.settle(130_000)
    // Funding that was told in the last hour is asked for once it stops.
    await bench.control.stop(id, bench.owner, 'real money')
    for (let k = 0; k < 3; k++) await bench.settle(130_000)
    expect([isEnough(), futures.position('BTCUSDT').amount, futures.stops.open()]).toEqual([true, 0, []])

    const orders = await bench.orders(id)
    const known = new Map(orders.map((order) => [order.clientOrderId, order]))
    const theirs = [
      ...bench.sentFutures(),
      ...futures.stops.all.slice(stopsBefore).map((stop) => ({ ...stop, clientOrderId: stop.clientAlgoId })),
    ]
      .filter(({ clientOrderId }) => clientOrderId.startsWith('sc'))
      .map(({ clientOrderId }) => clientOrderId)
    // Everything at the exchange is known here, once, and every entry and exit has filled there as here.
    expect(new Set(theirs).size).toBe(theirs.length)
    expect(theirs.length).toBeGreaterThan(6)
    expect(theirs.filter((sentId) => !known.has(sentId))).toEqual([])
    for (const { clientOrderId, filled } of bench.sentFutures())
      if (known.has(clientOrderId))
        expect([clientOrderId, known.get(clientOrderId)!.filled]).toEqual([clientOrderId, filled])
    const sentIds = new Set(theirs)
    for (const { clientOrderId, status, statusReason } of orders)
      if (!sentIds.has(clientOrderId) && !statusReason?.includes('by itself'))
        expect([clientOrderId, ['rejected', 'not_placed'].includes(status)]).toEqual([clientOrderId, true])
    // Every candle is decided once, and none is left out.
    const decisions = await bench.decisions(id)
    expect(new Set(decisions.map(({ candleTs }) => candleTs)).size).toBe(closes)
    expect(decisions).toHaveLength(closes)
    // All that the exchange took and gave is in the ledger: trades, fees, funding, what liquidations cost.
    const { balance, positions } = await bench.balance(id)
    expect(positions).toEqual([])
    expect(balance - 1_000).toBeCloseTo(futures.wallet - 100_000, 5)
    const { rows: doubt } = await bench.db.pool.query(
      "select 1 from trading.orders where status in ('sending', 'open') or to_settle",
    )
    expect(doubt).toEqual([])
    await storm.close()
  },
)
