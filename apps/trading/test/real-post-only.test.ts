import { REAL_MONEY_WORDS } from '@shapecast/contracts/real-bots'
import { postedOf } from '@shapecast/engine/post-only'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createParityCheck } from '../src/bots/parity.ts'
import { Life, someSteps } from './support/mortal.ts'
import { createRealBotsBench, type RealBotsBench } from './support/real-bots-bench.ts'
import { createServiceBench, type ServiceBench } from './support/service-bench.ts'

const HOUR_MS = 3_600_000
const stepMs = HOUR_MS / 4
const costs = { feeRate: 0.001, slippageBps: 5, postOnly: { makerFeeRate: 0.0002 } }
const CANCEL = /DELETE .*order|POST .*cancel/
const SEND = /POST .*order(\/create)?$/

let service: ServiceBench
let bench: RealBotsBench
beforeAll(async () => {
  service = await createServiceBench()
})
afterAll(() => service.close())

/** What was sent: side, whether it rested, what of it was filled, and its status there. */
const sent = () =>
  bench
    .sent()
    .map(({ side, type, filled, status }) => [
      side,
      type === 'MARKET' ? 'takes' : 'rests',
      Number(filled.toFixed(8)),
      status,
    ])
const resting = () => bench.sent().find(({ type }) => type !== 'MARKET')!
const bought = () => bench.sent().reduce((sum, { filled }) => sum + filled, 0)
const posted = async (id: string) =>
  postedOf((await bench.stores.trading.state(id))!.portfolio.pairs.map(({ account }) => account)).posted

/** A started bot that wants half of 1,000 in BTC, and rests its orders. */
async function started(draft: object = {}): Promise<string> {
  const id = await bench.created(draft)
  const parameters = JSON.stringify({ policy: 'fixed_share', timeframe: '15m', costs })
  await bench.db.pool.query(
    'update trading.bots set parameters = parameters || $2::jsonb, max_drawdown = 90 where id = $1',
    [id, parameters],
  )
  await bench.control.start(id, bench.owner, REAL_MONEY_WORDS)
  return id
}

/** A candle closes at a price, and the market goes on at another one before the bot acts. */
async function closes(at: number, on: number): Promise<void> {
  bench.close(at, { stepMs })
  bench.setPrice(on, 'BTCUSDT', 16)
  await bench.tick()
}

/** Its day is over: it decides again at the next close. */
const anotherDay = (id: string) =>
  bench.db.pool.query(
    `update trading.bot_states set portfolio = jsonb_set(portfolio::jsonb, '{pairs,0,decidedDay}', '-1')::json where bot_id = $1`,
    [id],
  )

/** An hour at a price, and what is done until nothing is left to do. */
async function hour(price: number): Promise<void> {
  for (let k = 0; k < 4; k++) bench.close(price, { stepMs })
  await bench.settle(HOUR_MS)
  await bench.settle(20_000)
}

describe.each(['binance', 'bybit'] as const)('a bot with real money at %s that rests its rebalances', (venue) => {
  beforeAll(async () => {
    bench = await createRealBotsBench(venue, { ...service, close: async () => {} })
  })
  beforeEach(async () => {
    await bench.fresh()
    bench.exchange.spot.makerFee = 0.0002
  })
  afterAll(() => bench.end())

  it('buys 0.025 at the close of 20,000 for the fee of a maker, where the market comes back to it', async () => {
    const id = await started()
    await closes(20_000, 20_010)
    expect(sent()).toEqual([['BUY', 'rests', 0, 'NEW']])
    bench.setPrice(20_000)
    await bench.settle()
    await hour(20_050)
    expect(sent()).toEqual([['BUY', 'rests', 0.025, 'FILLED']])
    // At once it would have been 0.025 at 20,020.005 and 10 bps of that: 501.000625125 instead of 500 and 0.1.
    expect(await posted(id)).toEqual({ orders: 1, filled: 1, saved: expect.closeTo(0.900625125, 9), lost: 0 })
    const [position] = (await bench.balance(id)).positions
    expect(position).toMatchObject({ quantity: 0.024995, entryPrice: expect.closeTo(20_000, 6) })
    expect(await bench.orders(id)).toMatchObject([{ type: 'limit', status: 'filled', fee: 0.1 }])
  })

  it('takes after an hour what nobody sold to it, and says what waiting lost', async () => {
    const id = await started()
    await bench.db.pool.query(
      `update trading.bots set parameters = jsonb_set(parameters, '{limits,maxDayOrders}', '1') where id = $1`,
      [id],
    )
    await closes(20_000, 20_010)
    await bench.settle()
    expect(sent()).toEqual([['BUY', 'rests', 0, 'NEW']])
    await hour(20_110)
    expect(sent()).toEqual([
      ['BUY', 'rests', 0, resting().status],
      ['BUY', 'takes', 0.025, 'FILLED'],
    ])
    // 502.75 and 0.50275 instead of 501.000625125.
    expect(await posted(id)).toEqual({ orders: 1, filled: 0, saved: 0, lost: expect.closeTo(2.252124875, 9) })
    expect(await bench.decisions(id)).toContainEqual(
      expect.objectContaining({ rule: 'target', reason: expect.stringContaining('post-only') }),
    )
    const ids = await bench.stores.trading.targetOrders(id)
    expect(await bench.room.ledger.orders.executed(bench.db.orm, ids)).toMatchObject([
      { quantity: 0.025, price: 20_110 },
    ])
  })

  it('takes the rest of what was filled in part, as one rebalance at their average', async () => {
    const id = await started()
    await closes(20_000, 20_010)
    bench.exchange.spot.book.fillRest(resting(), 0.01)
    await hour(20_110)
    expect(sent()).toEqual([
      ['BUY', 'rests', 0.01, 'CANCELED'],
      ['BUY', 'takes', 0.015, 'FILLED'],
    ])
    const ids = await bench.stores.trading.targetOrders(id)
    expect(await bench.room.ledger.orders.executed(bench.db.orm, ids)).toMatchObject([
      { quantity: 0.025, value: 501.65, fee: 0.34165 },
    ])
    expect(await posted(id)).toMatchObject({ orders: 1, filled: 0 })
  })

  it('takes at once where the exchange refuses an order that would cross, which saves and loses nothing', async () => {
    const id = await started()
    await closes(20_000, 19_990)
    await bench.settle()
    expect(sent().filter(([, , filled]) => filled !== 0)).toEqual([['BUY', 'takes', 0.025, 'FILLED']])
    expect(bench.sent().at(-1)!.filledQuote / 0.025).toBeCloseTo(19_990, 6)
    expect(await posted(id)).toEqual({ orders: 1, filled: 0, saved: 0, lost: 0 })
    await hour(20_110)
    expect(bought()).toBeCloseTo(0.025, 9)
  })

  it('buys nothing twice where its order fills while it is being cancelled', async () => {
    const id = await started()
    await closes(20_000, 20_010)
    bench.exchange.faults.rest({
      at: CANCEL,
      fault: { kind: 'held', until: async () => bench.exchange.spot.book.fillRest(resting()) },
    })
    await hour(20_110)
    expect(sent()).toEqual([['BUY', 'rests', 0.025, 'FILLED']])
    expect(await posted(id)).toMatchObject({ orders: 1, filled: 1 })
  })

  it.each([
    ['lose-reply', CANCEL],
    ['drop', CANCEL],
    ['unknown-outcome', SEND],
    ['drop', SEND],
  ] as const)('buys 0.025 once where %s strikes %s', async (kind, at) => {
    await started()
    bench.exchange.faults.rest({ at, fault: { kind }, times: 1 })
    await closes(20_000, 20_010)
    await bench.settle()
    await hour(20_110)
    await bench.settle(61_000)
    await bench.settle(61_000)
    expect(bought()).toBeCloseTo(0.025, 9)
  })

  it('sells for the fee of a maker as its backtest does: only coins that fees took are apart', async () => {
    const id = await started()
    for (const [at, on] of [
      [20_000, 20_010],
      [32_000, 31_990],
    ] as const) {
      await anotherDay(id)
      await closes(at, on)
      bench.setPrice(at, 'BTCUSDT', 16)
      await hour(at)
      // Its first quarter traded through it by a tick.
      const quarter = bench.rows.at(-4)!
      quarter[2] += 0.01
      quarter[3] -= 0.01
    }
    // 0.024995 at 32,000 of 1,299.84: half is 649.92, 0.004685 less.
    expect(sent()).toEqual([
      ['BUY', 'rests', 0.025, 'FILLED'],
      ['SELL', 'rests', 0.00468, 'FILLED'],
    ])
    expect(await posted(id)).toMatchObject({ orders: 2, filled: 2, lost: 0 })
    // 2 bps of 149.76, and of the 0.1 of the purchase its part.
    const fees = 0.029952 + (0.1 * 0.00468) / 0.024995
    expect(await bench.trades(id)).toMatchObject([
      {
        exitReason: 'rebalance',
        quantity: 0.00468,
        exitPrice: expect.closeTo(32_000, 6),
        fees: expect.closeTo(fees, 6),
      },
    ])
    const parity = await createParityCheck({
      states: bench.stores.trading,
      bots: bench.stores.bots,
      rules: bench.botMarket.rules,
      async decisions(_bot, _plan, symbol, { timeframe, toMs }) {
        const candles = await bench.botMarket.load(symbol, timeframe, { toMs, limit: 10 })
        return { candles, decisions: new Float64Array(candles.length).fill(Number.NaN) }
      },
    })(id, bench.owner)
    expect(parity).toMatchObject({ liveTrades: 1, backtestTrades: 1, differences: [{ cause: 'fee' }] })
    expect(parity.differences[0]!.backtest).toMatchObject({ quantity: 0.00468, entryPrice: 20_000, exitPrice: 32_000 })
  })

  it('decides again when no process ran to take its order in time', async () => {
    const id = await started()
    await closes(20_000, 20_010)
    for (let k = 0; k < 5; k++) bench.close(20_110, { stepMs })
    bench.setPrice(20_120, 'BTCUSDT', 16)
    bench.clock.aheadMs += 1.25 * HOUR_MS
    await bench.room.reconcileOrders()
    await bench.tick()
    expect((await bench.decisions(id)).find(({ rule }) => rule === 'order_skipped')).toMatchObject({
      action: 'no_order',
      reason: expect.stringContaining('could not be taken at the market in time'),
    })
    expect(bench.sent().map(({ price, qty, status }) => [price, qty, status])).toEqual([
      [20_000, 0.025, 'CANCELED'],
      [20_110, 0.02486, 'NEW'],
    ])
  })

  it('takes one coin at once while the other rests', async () => {
    await started({ tradingPairs: ['BTCUSDT', 'ETHUSDT'] })
    const eth = 2_000
    bench.close(20_000, { eth, stepMs })
    bench.setPrice(20_010, 'BTCUSDT', 16)
    bench.setPrice(1_999, 'ETHUSDT', 16)
    await bench.tick()
    await bench.settle()
    const filled = () => bench.sent().flatMap((one) => (one.filled > 0 ? [[one.symbol, one.type, one.filled]] : []))
    expect(filled()).toEqual([['ETHUSDT', 'MARKET', 0.12495]])
    bench.setPrice(20_000, 'BTCUSDT', 16)
    await bench.settle()
    expect(filled()).toContainEqual(['BTCUSDT', resting().type, 0.0125])
    expect(bench.sent()).toHaveLength(venue === 'binance' ? 2 : 3)
  })

  it('gives way to a rebalance by hand, which takes at the market what is not filled yet', async () => {
    const id = await started()
    await closes(20_000, 20_010)
    bench.exchange.spot.book.fillRest(resting(), 0.01)
    await bench.settle(20_000)
    await bench.control.rebalance(id, REAL_MONEY_WORDS, { member: bench.owner, request: null })
    for (let k = 0; k < 3; k++) await bench.settle(20_000)
    expect(sent()).toEqual([
      ['BUY', 'rests', 0.01, 'CANCELED'],
      ['BUY', 'takes', 0.01499, 'FILLED'],
    ])
    await hour(20_110)
    expect(sent()).toHaveLength(2)
    expect(await bench.stores.trading.byHand(id)).toMatchObject([{ quantity: 0.01499, reason: null }])
  })

  // From before the order is written down to after what it left was taken.
  it.each(venue === 'binance' ? someSteps([11, 12, 14, 24, 28, 40, 46, 52, 58]) : [28])(
    'buys 0.025 once where its process is killed before step %i of an hour that fills 0.01',
    async (steps) => {
      const life = new Life()
      const mortal = bench.startProcess(life)
      const id = await started()
      life.endAfter(steps)
      bench.close(20_000, { stepMs })
      bench.setPrice(20_010, 'BTCUSDT', 16)
      const dies = async (work: () => Promise<unknown>) => (life.isOver ? undefined : work().catch(() => undefined))
      await dies(() => bench.tick(mortal))
      for (const order of bench.sent()) bench.exchange.spot.book.fillRest(order, 0.01)
      for (let k = 0; k < 4; k++) bench.close(20_010, { stepMs })
      bench.clock.aheadMs += HOUR_MS
      for (let k = 0; k < 3; k++) {
        await dies(() => mortal.room.reconcileOrders())
        await dies(() => bench.tick(mortal))
      }
      for (let k = 0; k < 4; k++) await bench.settle(20_000)
      await mortal.room.close()
      // What nobody had written down was decided at a later close: 0.02498 at 20,010.
      expect(bought()).toBeCloseTo(0.025, 4)
      expect(bench.sent().length).toBeLessThanOrEqual(2)
      expect(await bench.bot(id)).toMatchObject({ status: 'active', statusReason: null })
    },
  )

  it('cancels what rests when it is paused, stopped or overtaken by the kill switch, and takes nothing', async () => {
    for (const end of ['pause', 'keep', 'kill'] as const) {
      await bench.fresh()
      const id = await started()
      await closes(20_000, 20_010)
      bench.exchange.spot.book.fillRest(resting(), 0.01)
      if (end === 'pause') await bench.control.pause(id, bench.owner)
      if (end === 'keep') await bench.control.stop(id, bench.owner, undefined, 'keep')
      if (end === 'kill') await bench.rooms.killSwitch.kill(false, bench.owner)
      await bench.settle(20_000)
      await hour(20_110)
      expect([end, ...sent()]).toEqual([end, ['BUY', 'rests', 0.01, 'CANCELED']])
    }
  })
})
