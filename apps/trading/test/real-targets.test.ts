import type { LiveTrading } from '@shapecast/venues/live-trading'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Life, someSteps } from './support/mortal.ts'
import { createRealBotsBench, type RealBotsBench } from './support/real-bots-bench.ts'

// Take profits of bots on spot. An entry of 0.01 BTC brings 0.00999: 0.1 % of the coins are the fee. The account holds
// 1 BTC of its owner besides.
let bench: RealBotsBench
const book = () => bench.exchange.spot.book
const btc = () => bench.exchange.spot.balances.get('BTC')!
/** What waits at the exchange: type, price, quantity. */
const legs = () =>
  book()
    .open('BTCUSDT')
    .map(({ type, stopPrice, qty }) => [type, stopPrice, qty])
const STOP = ['STOP_LOSS', 19_000, 0.00999]
const TARGET = ['TAKE_PROFIT', 22_000, 0.00999]
const NOT_PERMITTED = JSON.stringify({ code: -2010, msg: 'This symbol is not permitted for this account.' })
const BOTH = { stopLossPct: 5, takeProfitPct: 10 }
const bought = async (draft: object) => {
  const id = await bench.started(draft)
  await bench.says('BUY', 20_000)
  await bench.settle()
  bench.script.signal = 'HOLD'
  return id
}
/** All that was bought was sold, once, and nothing of the owner. */
const soldOnce = async (id: string, trade: object) => {
  expect(await bench.trades(id)).toMatchObject([{ entryPrice: 20_000, quantity: 0.00999, ...trade }])
  expect(btc()).toBeCloseTo(1, 8)
  expect(legs()).toEqual([])
  expect((await bench.balance(id)).positions).toEqual([])
  const { balance } = await bench.balance(id)
  expect(bench.exchange.spot.balances.get('USDT')! - 100_000).toBeCloseTo(balance - 1_000, 4)
}

/** A bot with both legs whose process is killed at step `k` of its purchase; `isOver` where that ended it. */
async function buysAndIsKilled(k: number): Promise<{ id: string; isOver: boolean }> {
  const life = new Life()
  const mortal = bench.startProcess(life)
  const id = await bench.started(BOTH)
  bench.script.signal = 'BUY'
  bench.close(20_000)
  life.endAfter(k)
  await mortal.rooms.advance().catch(() => undefined)
  const { isOver } = life
  life.endAfter(Number.POSITIVE_INFINITY)
  await mortal.room.close()
  bench.script.signal = 'HOLD'
  return { id, isOver }
}

describe.each(['binance', 'bybit'] as const)('a take profit on spot at %s, without a stop-loss', (venue) => {
  beforeAll(async () => {
    bench = await createRealBotsBench(venue)
  })
  beforeEach(() => bench.fresh())
  afterAll(() => bench.end())

  it('waits at the exchange, and sells though nobody of us is there', async () => {
    const id = await bought({ takeProfitPct: 10 })
    expect(legs()).toEqual([TARGET])
    bench.setPrice(21_999)
    await bench.settle()
    expect(legs()).toEqual([TARGET])
    bench.setPrice(22_010)
    expect([legs(), btc()]).toEqual([[], expect.closeTo(1, 8)])
    await bench.settle()
    await bench.settle()
    await soldOnce(id, { exitReason: 'take_profit', exitPrice: 22_010 })
    expect(bench.sent()).toHaveLength(2)
    expect(await bench.bot(id)).toMatchObject({ status: 'active', totalTrades: 1 })
  })

  it('is cancelled for what the model sells', async () => {
    const id = await bought({ takeProfitPct: 10 })
    await bench.says('SELL', 20_500)
    await bench.settle()
    await soldOnce(id, { exitReason: 'signal', exitPrice: 20_500 })
  })

  it('is placed once though its answer is lost', async () => {
    const at = venue === 'binance' ? /POST .*order$/ : /POST .*create$/
    const id = await bench.started({ takeProfitPct: 10 })
    bench.exchange.faults.rest({ at, fault: { kind: 'slow', ms: 0 } })
    bench.exchange.faults.rest({ at, fault: { kind: 'lose-reply' } })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await bench.settle(70_000)
    expect(legs()).toEqual([TARGET])
    bench.script.signal = 'HOLD'
    bench.setPrice(22_000)
    await bench.settle()
    await soldOnce(id, { exitReason: 'take_profit' })
  })
})

describe('a take profit beside a stop-loss on spot at bybit', () => {
  beforeAll(async () => {
    bench = await createRealBotsBench('bybit')
  })
  afterAll(() => bench.end())

  it('is watched by us, since the stop has the coins', async () => {
    await bench.fresh()
    const id = await bought(BOTH)
    expect(legs()).toEqual([STOP])
    bench.setPrice(22_000)
    expect(legs()).toEqual([STOP])
    await bench.settle()
    await soldOnce(id, { exitReason: 'take_profit', exitPrice: 22_000 })
  })
})

describe('stop-loss and take profit on spot at binance', () => {
  beforeAll(async () => {
    bench = await createRealBotsBench('binance')
  })
  beforeEach(() => bench.fresh())
  afterAll(() => bench.end())

  it('are not bought for where five of them wait already, though all bots buy at once', async () => {
    const ids = [await bench.started(BOTH), await bench.started(BOTH), await bench.started(BOTH)]
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(legs()).toHaveLength(4)
    const sizes = await Promise.all(ids.map(async (id) => (await bench.balance(id)).positions.length))
    expect(sizes.toSorted()).toEqual([0, 1, 1])
    const [left] = ids.filter((_, k) => sizes[k] === 0)
    const [decision] = await bench.decisions(left!)
    expect(decision).toMatchObject({ rule: 'order_skipped', action: 'no_order' })
    expect(decision!.reason).toMatch(/Binance lets at most 5 stops and take profits of BTCUSDT wait in one account/)
    // One alone has room.
    const stop = await bench.started({ stopLossPct: 5 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect([(await bench.balance(stop)).positions.length, legs().length]).toEqual([1, 5])
  })

  const buyBy = async (caps: (trading: LiveTrading) => Partial<LiveTrading>) => {
    bench.between.wrap = (trading) => ({ ...trading, ...caps(trading) })
    const process = bench.startProcess()
    bench.script.signal = 'BUY'
    bench.close(20_000)
    await bench.settle(0, process)
    await process.room.close()
  }

  it('are not bought for where so many orders of all kinds wait already', async () => {
    const ids = [await bench.started(BOTH), await bench.started(BOTH)]
    await buyBy(() => ({ mostWaiting: async () => ({ conditional: 5, all: 3 }) }))
    expect(legs()).toHaveLength(2)
    const reasons = await Promise.all(ids.map(async (id) => (await bench.decisions(id))[0]!.reason))
    expect(reasons.filter((reason) => reason.includes('Binance lets at most 3 orders of BTCUSDT wait'))).toHaveLength(1)
  })

  it('count for spot alone, as those on futures do for futures', async () => {
    const ids = [await bench.started({ marketType: 'futures', leverage: 5, ...BOTH })]
    ids.push(await bench.started(BOTH), await bench.started(BOTH))
    await buyBy(({ marketType }) =>
      marketType === 'spot' ? {} : { mostWaiting: async () => ({ conditional: 2, all: 2 }) },
    )
    for (const id of ids) expect((await bench.balance(id)).positions).toHaveLength(1)
    expect([legs().length, bench.exchange.futures.stops.open().length]).toEqual([4, 2])
  })

  it('for which the exchange has no room are tried again, while the bot opens nothing more and says why', async () => {
    // Orders of somebody else have taken the room.
    bench.exchange.spot.mostWaiting = 0
    const id = await bought(BOTH)
    for (let k = 0; k < 3; k++) await bench.settle(60_000)
    expect(legs()).toEqual([])
    const bot = await bench.bot(id)
    expect(bot.status).toBe('paused')
    expect(bot.statusReason).toMatch(
      /^A stop-loss or take profit of what it holds does not stand\..*MAX_NUM_ALGO_ORDERS/,
    )
    const entry = (await bench.orders(id)).find(({ type }) => type === 'market')
    expect(entry!.statusReason).toMatch(/^THE STOP-LOSS AT 19000 DOES NOT STAND: .*MAX_NUM_ALGO_ORDERS/)
    const { rows } = await bench.db.pool.query("select text from platform.notifications where kind = 'halt'")
    expect(rows.at(-1).text).toBe(bot.statusReason)
    bench.exchange.spot.mostWaiting = 5
    await bench.settle(60_000)
    expect(legs()).toEqual([STOP, TARGET])
    expect((await bench.orders(id)).find(({ type }) => type === 'market')!.statusReason).toBeNull()
  })

  it.each([
    ['has room for one order alone', () => Object.assign(bench.exchange.spot, { mostWaiting: 1 })],
    [
      'takes no lists of this pair',
      () =>
        bench.exchange.faults.rest({
          at: /POST .*oco/,
          times: 50,
          fault: { kind: 'status', status: 400, body: NOT_PERMITTED },
        }),
    ],
  ])('leave the stop-loss alone at once where the exchange %s', async (_, obstruct) => {
    obstruct()
    const id = await bench.started(BOTH)
    await bench.says('BUY', 20_000)
    expect(legs()).toEqual([STOP])
    bench.script.signal = 'HOLD'
    for (let k = 0; k < 3; k++) await bench.settle(60_000)
    expect(legs()).toEqual([STOP])
    expect(bench.sent()).toHaveLength(2)
    expect(await bench.bot(id)).toMatchObject({ status: 'active', statusReason: null })
    const entry = async () => (await bench.orders(id)).find(({ type }) => type === 'market')!
    expect((await entry()).statusReason).toMatch(
      /^The stop-loss stands\. The take profit is watched by Shapecast, which has to run for it: binance refuses/,
    )
    bench.setPrice(22_000)
    await bench.settle()
    await soldOnce(id, { exitReason: 'take_profit', exitPrice: 22_000 })
  })

  it('leave the stop-loss alone once, whatever step of that a process is killed at', async () => {
    for (const k of someSteps(Array.from({ length: 30 }, (_, i) => 40 + 9 * i))) {
      await bench.fresh()
      bench.exchange.spot.mostWaiting = 1
      const { id, isOver } = await buysAndIsKilled(k)
      for (let n = 0; n < 3; n++) await bench.settle(70_000)
      const [purchase] = bench.sent()
      if (purchase !== undefined) {
        expect([k, ...legs()]).toEqual([k, STOP])
        bench.setPrice(18_990)
        await bench.settle()
        await soldOnce(id, { exitReason: 'stop_loss' })
      }
      if (!isOver) break
    }
  })

  it('for which the exchange has no room are sold by us once their price has been passed', async () => {
    bench.exchange.spot.mostWaiting = 0
    const id = await bought(BOTH)
    bench.setPrice(18_900)
    for (let k = 0; k < 2; k++) await bench.settle(60_000)
    await soldOnce(id, { exitReason: 'stop_loss', exitPrice: 18_900 })
  })

  it.each([
    ['stop_loss', 18_990],
    ['take_profit', 22_010],
  ] as const)('are one list; after a %s the other one is ended', async (exitReason, beyond) => {
    const id = await bought(BOTH)
    expect(legs()).toEqual([STOP, TARGET])
    bench.setPrice(beyond)
    await bench.settle()
    await bench.settle()
    await soldOnce(id, { exitReason, exitPrice: beyond })
    expect(bench.sent()).toHaveLength(3)
    expect((await bench.orders(id)).map(({ type, status }) => `${type} ${status}`).toSorted()).toEqual([
      'market filled',
      exitReason === 'stop_loss' ? 'stop filled' : 'stop expired',
      exitReason === 'take_profit' ? 'take_profit filled' : 'take_profit expired',
    ])
  })

  it('sell once though a wick reaches both', async () => {
    const id = await bought(BOTH)
    book().match('BTCUSDT', { low: 18_000, high: 23_000 })
    await bench.settle()
    await bench.settle()
    await soldOnce(id, { exitReason: 'stop_loss' })
  })

  it('places stop and target again for the rest when one was half filled', async () => {
    const id = await bought({ ...BOTH, positionSize: 0.02 })
    bench.exchange.faults.partialFills.push(0.5)
    bench.setPrice(22_000)
    bench.setPrice(21_000)
    expect(legs()).toEqual([])
    await bench.settle()
    // 0.01998 / 2.
    expect(legs()).toEqual([
      ['STOP_LOSS', 19_000, 0.00999],
      ['TAKE_PROFIT', 22_000, 0.00999],
    ])
    bench.setPrice(18_990)
    await bench.settle()
    await bench.settle()
    expect((await bench.trades(id)).map(({ exitReason, quantity }) => [exitReason, quantity])).toEqual([
      ['stop_loss', 0.00999],
      ['take_profit', 0.00999],
    ])
    expect([btc(), legs()]).toEqual([expect.closeTo(1, 8), []])
  })

  it.each(['lose-reply', 'drop', 'unknown-outcome'] as const)(
    'are there once though requests fail (%s)',
    async (kind) => {
      bench.exchange.faults.rest({ at: /POST .*oco/, fault: { kind } })
      const id = await bought(BOTH)
      await bench.settle(70_000)
      await bench.settle(70_000)
      expect(legs()).toEqual([STOP, TARGET])
      bench.setPrice(22_000)
      await bench.settle()
      await soldOnce(id, { exitReason: 'take_profit' })
    },
  )

  it('tries refused exits again and watches the target itself meanwhile', async () => {
    const at = /POST .*(oco|order)$/
    bench.exchange.faults.rest({ at, fault: { kind: 'slow', ms: 0 } })
    bench.exchange.faults.rest({ at, times: 50, fault: { kind: 'status', status: 400, body: NOT_PERMITTED } })
    const id = await bought(BOTH)
    expect(legs()).toEqual([])
    expect((await bench.orders(id)).at(-1)).toMatchObject({
      statusReason: expect.stringContaining('THE STOP-LOSS AT 19000 DOES NOT STAND'),
    })
    bench.exchange.faults.clear()
    bench.setPrice(22_000)
    await bench.settle()
    await soldOnce(id, { exitReason: 'take_profit' })
  })

  it('are cancelled for what the model sells, kept by a pause, and cancelled by the kill switch', async () => {
    const id = await bought(BOTH)
    await bench.control.pause(id, bench.owner)
    await bench.settle(70_000)
    expect(legs()).toEqual([STOP, TARGET])
    await bench.rooms.killSwitch.kill(false, bench.owner)
    await bench.settle()
    expect([legs(), btc()]).toEqual([[], expect.closeTo(1.00999, 8)])
    await bench.rooms.killSwitch.allow(bench.owner)
    await bench.control.start(id, bench.owner, 'real money')
    await bench.settle()
    expect(legs()).toEqual([STOP, TARGET])
    await bench.says('SELL', 20_500)
    await bench.settle()
    await soldOnce(id, { exitReason: 'signal', exitPrice: 20_500 })
  })

  it('stand once, whatever step of placing them a process is killed at, and sell once', async () => {
    for (const k of someSteps(Array.from({ length: 60 }, (_, i) => 6 * i))) {
      await bench.fresh()
      const { id, isOver } = await buysAndIsKilled(k)
      await bench.settle()
      await bench.settle(70_000)
      await bench.settle(70_000)
      const [purchase] = bench.sent()
      if (purchase !== undefined) {
        expect([k, ...legs()]).toEqual([k, STOP, TARGET])
        bench.setPrice(22_000)
        await bench.settle()
        await soldOnce(id, { exitReason: 'take_profit' })
      } else expect([k, legs(), btc()]).toEqual([k, [], 1])
      if (!isOver) break
    }
  })
})
