import type { AppError } from '@shapecast/contracts/errors'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BotWorth } from '../src/bots/bot-reads.ts'
import { exportUser } from '../src/user-data.ts'
import { entriesOf } from './support/bot-accounts.ts'
import { Life, someSteps } from './support/mortal.ts'
import { createRealBotsBench, type RealBotsBench } from './support/real-bots-bench.ts'
import { proven } from './support/service-bench.ts'

let bench: RealBotsBench
beforeAll(async () => {
  bench = await createRealBotsBench()
})
beforeEach(() => bench.fresh())
afterAll(() => bench.end())

const failureOf = async (work: Promise<unknown>): Promise<[string, string]> => {
  try {
    await work
  } catch (error) {
    return [(error as AppError).code, (error as AppError).message]
  }
  throw new Error('It did not fail.')
}
const btc = () => bench.exchange.spot.balances.get('BTC')!

describe('a bot with real money', () => {
  it('buys at the close, pays the fee of the exchange, and sells what it bought', async () => {
    const id = await bench.started()
    await bench.says('BUY', 20_000)
    // 0.01 BTC at 20,000; 0.1% of the coins are the fee.
    expect(bench.sent()).toMatchObject([{ side: 'BUY', qty: 0.01, status: 'FILLED' }])
    await bench.settle()
    const held = await bench.balance(id)
    expect(held.positions).toMatchObject([{ symbol: 'BTCUSDT', quantity: 0.00999, entryPrice: 20_000 }])
    expect(held.balance).toBeCloseTo(1_000 - 0.2, 8)
    await bench.says('HOLD', 21_000)
    expect(bench.sent()).toHaveLength(1)

    await bench.says('SELL', 22_000)
    await bench.settle()
    expect(bench.sent()).toHaveLength(2)
    expect(bench.sent()[1]).toMatchObject({ side: 'SELL', qty: 0.00999, status: 'FILLED' })
    // Earned 0.00999 × 2,000 = 19.98; fees 0.2 and 0.00999 × 22,000 × 0.001 = 0.21978.
    const [trade] = await bench.trades(id)
    expect(trade).toMatchObject({ entryPrice: 20_000, exitPrice: 22_000, quantity: 0.00999, exitReason: 'signal' })
    expect(trade!.netPnL).toBeCloseTo(19.98 - 0.41978, 8)
    const after = await bench.balance(id)
    expect(after.positions).toEqual([])
    expect(after.balance).toBeCloseTo(1_000 + 19.98 - 0.41978, 8)
    const decisions = await bench.decisions(id)
    expect(decisions.map(({ action }) => action)).toEqual(['closed', 'held', 'opened_long'])
    const orders = await bench.orders(id)
    expect(decisions.map(({ orderId }) => orderId)).toEqual([orders[0]!.id, null, orders[1]!.id])
    expect(await bench.bot(id)).toMatchObject({ status: 'active', totalTrades: 1, winningTrades: 1 })
  })
  it('does not buy again while it holds, nor at the same candle however often it is looked at', async () => {
    await bench.started()
    await bench.says('BUY', 20_000)
    for (let k = 0; k < 3; k++) await bench.tick()
    await bench.settle()
    await bench.says('BUY', 20_500)
    expect(bench.sent()).toHaveLength(1)
  })

  it('decides at closes alone: between them only prices, results and the kill switch are looked at', async () => {
    const id = await bench.started()
    bench.script.signal = 'BUY'
    bench.close(20_000)
    for (let k = 0; k < 3; k++) await bench.rooms.betweenCloses()
    expect([await bench.decisions(id), bench.sent()]).toEqual([[], []])
    await bench.tick()
    expect(await bench.decisions(id)).toHaveLength(1)
    expect(bench.sent()).toHaveLength(1)
  })

  it('lets a stop-loss stand at the exchange, which sells without us', async () => {
    const id = await bench.started({ stopLossPct: 5 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(bench.exchange.spot.book.open('BTCUSDT')).toMatchObject([
      { type: 'STOP_LOSS', stopPrice: 19_000, qty: 0.00999 },
    ])
    bench.script.signal = 'HOLD'
    bench.setPrice(18_990)
    await bench.settle()
    const [trade] = await bench.trades(id)
    expect(trade).toMatchObject({ exitReason: 'stop_loss', quantity: 0.00999, exitPrice: 18_990 })
    expect((await bench.balance(id)).positions).toEqual([])
    expect(bench.exchange.spot.book.open('BTCUSDT')).toEqual([])
  })

  it('cancels the stop-loss to sell on a signal, and sells its coins once', async () => {
    const id = await bench.started({ stopLossPct: 5 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await bench.says('SELL', 20_400)
    await bench.settle()
    expect(bench.sent().map(({ type, status }) => `${type} ${status}`)).toEqual([
      'MARKET FILLED',
      'STOP_LOSS CANCELED',
      'MARKET FILLED',
    ])
    expect(btc()).toBeCloseTo(1, 8)
    expect(await bench.trades(id)).toHaveLength(1)
  })

  it('at its drawdown limit sells at the price of the moment, pauses and says why', async () => {
    const id = await bench.started({ initialBalance: 300, maxDrawdown: 10 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    // The peak is 300: 270 is reached at 0.00999 × (17,000 − 20,000) = −29.97, with the fee of 0.2.
    bench.setPrice(17_020)
    await bench.tick()
    expect(bench.sent()).toHaveLength(1)
    bench.setPrice(17_000)
    await bench.tick()
    await bench.settle()
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'max_drawdown', exitPrice: 17_000 }])
    const bot = await bench.bot(id)
    expect(bot.status).toBe('paused')
    expect(bot.statusReason).toContain('Its drawdown limit of 10% was reached')
    await bench.says('BUY', 17_000)
    expect(bench.sent()).toHaveLength(2)
  })

  it('at its daily loss sells and pauses too', async () => {
    const limits = { maxOrderNotional: 1e6, maxPositionNotional: 1e6, maxDayLoss: 5, maxDayOrders: 10 }
    const id = await bench.started({ maxDrawdown: 50, parameters: { limits } })
    await bench.says('BUY', 20_000)
    await bench.settle()
    bench.setPrice(19_500)
    await bench.tick()
    await bench.settle()
    // 0.2 of fees and 0.00999 × 500 = 4.995.
    expect((await bench.bot(id)).statusReason).toBe(
      'It lost 5.20 USDT since 00:00 UTC, and may lose 5 a day: it closes what it holds and opens nothing until it is started again.',
    )
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'max_drawdown' }])
  })

  it.each([
    [{ maxOrderNotional: 199 }, 'an order of this bot may be worth 199'],
    [{ maxOrderNotional: 1e6, maxPositionNotional: 150 }, 'this bot may hold 150'],
  ])('sends nothing beyond %o, and says so in its log', async (limits, words) => {
    const id = await bench.started({
      parameters: { limits: { maxPositionNotional: 1e6, maxDayLoss: 1e6, maxDayOrders: 10, ...limits } },
    })
    await bench.says('BUY', 20_000)
    expect(bench.sent()).toEqual([])
    const [decision] = await bench.decisions(id)
    expect(decision).toMatchObject({ rule: 'order_skipped', action: 'no_order', orderId: null })
    expect(decision!.reason).toContain(words)
  })

  it('keeps to the purchases of a day, and to the limits of the installation', async () => {
    const limits = { maxOrderNotional: 1e6, maxPositionNotional: 1e6, maxDayLoss: 1e6, maxDayOrders: 1 }
    const id = await bench.started({ parameters: { limits } })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await bench.says('SELL', 20_000)
    await bench.settle()
    await bench.says('BUY', 20_000)
    expect((await bench.decisions(id))[0]!.reason).toContain('may enter 1 times a day')
    expect(bench.sent()).toHaveLength(2)

    const narrow = (maxBotsNotional: number) =>
      bench.room.installationLimits.change({ maxBotsNotional }, bench.owner, proven)
    await narrow(100)
    const other = await bench.started()
    await bench.says('BUY', 20_000)
    await narrow(1e8)
    expect((await bench.decisions(other))[0]).toMatchObject({ rule: 'order_skipped' })
    expect((await bench.decisions(other))[0]!.reason).toContain('that all bots with real money may hold')
    expect(bench.sent()).toHaveLength(2)
  })

  it('paused keeps its position and stop; stopped sells, but only with the words', async () => {
    const id = await bench.started({ stopLossPct: 5 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await bench.control.pause(id, bench.owner)
    await bench.says('SELL', 20_100)
    await bench.settle()
    expect(bench.exchange.spot.book.open('BTCUSDT')).toHaveLength(1)
    expect(await bench.trades(id)).toEqual([])

    expect((await failureOf(bench.control.stop(id, bench.owner)))[0]).toBe('unprocessable')
    await bench.control.stop(id, bench.owner, 'real money')
    await bench.settle()
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'stopped' }])
    expect(await bench.bot(id)).toMatchObject({ status: 'stopped' })
    expect(btc()).toBeCloseTo(1, 8)
    await bench.control.start(id, bench.owner, 'real money')
    expect(await bench.bot(id)).toMatchObject({ status: 'active' })
  })

  it('starts for its owner alone, with the words', async () => {
    const id = await bench.created()
    const start = (over: object, words?: string) =>
      failureOf(bench.control.start(id, { ...bench.owner, ...over }, words))
    expect(await start({})).toEqual(['unprocessable', 'This bot trades real money. Write "real money" to start it.'])
    expect((await start({ userId: bench.users.other.userId }, 'real money'))[0]).toBe('forbidden')
    expect((await start({ role: 'user' }, 'real money'))[0]).toBe('forbidden')
    await bench.confirmed(false)
    expect((await start({}, 'real money'))[0]).toBe('confirmation_required')
  })

  it('asks for an edge unless its owner says otherwise', async () => {
    bench.script.edgeBps = -5
    const id = await bench.started()
    await bench.says('BUY', 20_000)
    expect((await bench.decisions(id))[0]).toMatchObject({ rule: 'below_cost', action: 'no_order' })
    expect(bench.sent()).toEqual([])
  })

  it('does not buy on a close that is long past, and goes through what it missed', async () => {
    const id = await bench.started()
    bench.script.signal = 'BUY'
    bench.close(20_000)
    bench.close(20_000)
    bench.exchange.clock.advance(59_000)
    await bench.tick()
    expect((await bench.decisions(id)).map(({ rule }) => rule)).toEqual(['signal', 'missed'])
    await bench.settle()
    expect(bench.sent()).toHaveLength(1)

    const late = await bench.started({ parameters: { timeframe: '15m' } })
    for (let k = 0; k < 15; k++) bench.close(20_000)
    while (bench.exchange.clock.now() % 900_000 !== 120_000) bench.close(20_000)
    await bench.tick()
    const [decision] = await bench.decisions(late)
    expect(decision).toMatchObject({ rule: 'order_skipped' })
    expect(decision!.reason).toBe('No order: the candle closed 2 minutes ago, too long to enter on it.')
  })

  it('buys late, at the next close of the day, for a policy, and then no more that day', async () => {
    const id = await bench.started({ parameters: { timeframe: '15m', policy: 'fixed_share' } })
    const quarter = async (minutesLate: number) => {
      do bench.close(20_000)
      while (bench.exchange.clock.now() % 900_000 !== 0)
      for (let k = 0; k < minutesLate; k++) bench.close(20_000)
      await bench.settle()
    }
    await quarter(2)
    expect((await bench.decisions(id))[0]!.reason).toContain('too long to enter on it')
    expect(bench.sent()).toEqual([])
    await quarter(0)
    // Half of 1,000 USDT at 20,000.
    expect((await bench.decisions(id))[0]).toMatchObject({ rule: 'target', target: 0.5, action: 'opened_long' })
    expect(bench.sent()).toMatchObject([{ side: 'BUY', qty: 0.025 }])
    await quarter(0)
    expect((await bench.decisions(id))[0]!.rule).toBe('not_decision_hour')
    expect(bench.sent()).toHaveLength(1)
  })

  it('is worth the same in the list, alone, in its details, in the file with its data and by its ledger', async () => {
    const held = await bench.started()
    const flat = await bench.started({ name: 'Flat' })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await bench.says('SELL', 21_000)
    await bench.settle()
    await bench.control.stop(flat, bench.owner)
    await bench.says('BUY', 21_500)
    await bench.settle()
    bench.setPrice(22_000)
    const list = await bench.bots.list(bench.owner)
    const file = await exportUser(bench.db.orm, bench.owner.userId, bench.reads.worthOf)
    const cents = (value: number) => Math.round(value * 100)
    for (const id of [held, flat]) {
      const [bot, alone, details] = [list.find((one) => one.id === id)!, await bench.bot(id), await bench.balance(id)]
      const exported = (file.botWorth as BotWorth[]).find(({ botId }) => botId === id)!
      const figures = [
        [bot.currentBalance, bot.closedPnL, bot.openPnL],
        [alone.currentBalance, alone.closedPnL, alone.openPnL],
        [details.equity, details.closedPnL, details.openPnL],
        [exported.equity, exported.closedPnL, exported.openPnL],
      ]
      for (const one of figures) expect(one.map(cents)).toEqual(figures[0]!.map(cents))
      const ledger = (await entriesOf(bench.db, id)).reduce((sum, amount) => sum + amount, 0)
      const worth = bot.positions.reduce((sum, { quantity }) => sum + quantity * 22_000, 0)
      expect(cents(bot.currentBalance)).toBe(cents(ledger + worth))
      expect(cents(bot.totalPnL)).toBe(cents(bot.closedPnL + bot.openPnL))
      const closed = (await bench.trades(id)).reduce((sum, { netPnL }) => sum + netPnL, 0)
      expect(cents(bot.closedPnL)).toBe(cents(closed))
    }
    expect(list.find(({ id }) => id === held)!.positions).toMatchObject([{ side: 'long', markPrice: 22_000 }])
    // Bought 0.01 at 20,000, of which 0.00001 (0.2 USDT) is the fee; sold 0.00999 at 21,000 for 0.20979: 9.99 − 0.40979.
    expect(list.find(({ id }) => id === flat)).toMatchObject({ openPnL: 0, positions: [] })
    expect(list.find(({ id }) => id === flat)!.closedPnL).toBeCloseTo(9.58021, 6)
  })

  it('is deleted only once nothing of it is left at the exchange', async () => {
    const id = await bench.started()
    await bench.says('BUY', 20_000)
    await bench.settle()
    const remove = () => bench.bots.delete(id, bench.owner)
    expect((await failureOf(remove()))[1]).toBe('Stop this bot first: it trades real money.')
    await bench.rooms.killSwitch.kill(false, bench.owner)
    expect((await failureOf(remove()))[1]).toContain('still holds something')
    await bench.control.stop(id, bench.owner, 'real money')
    await bench.settle()
    await remove()
    expect(btc()).toBeCloseTo(1, 8)
  })

  it('books no trades of more than it ordered: it stops, says so, and does not start again', async () => {
    const id = await bench.started()
    bench.exchange.faults.partialFills.push(1.5)
    await bench.says('BUY', 20_000)
    await bench.settle()
    bench.clock.aheadMs += 61_000
    await bench.tick()
    const words =
      /^The exchange tells trades of 0\.015 for the order sc[0-9a-f]{30} of BTCUSDT, which was of 0\.01\. They are not booked\. Look at the order at the exchange\. What was traded is not in the ledger of this bot: close it there, and make a new bot to go on\./
    const { status, statusReason } = await bench.bot(id)
    expect(status).toBe('error')
    expect(statusReason).toMatch(words)
    expect((await bench.balance(id)).positions).toEqual([])
    expect((await bench.balance(id)).balance).toBe(1_000)
    await bench.says('SELL', 20_100)
    await bench.settle()
    expect(bench.sent()).toHaveLength(1)
    expect((await failureOf(bench.control.start(id, bench.owner, 'real money')))[1]).toMatch(words)
  })

  it('leaves its orders and what they cost to its owner when it is deleted, and holds nothing any more', async () => {
    const id = await bench.started()
    const other = await bench.started({ positionSize: 0.02 })
    bench.exchange.faults.partialFills.push(0.4507)
    await bench.says('BUY', 20_000)
    await bench.settle()
    await bench.control.stop(id, bench.owner, 'real money')
    await bench.settle()
    await bench.bots.delete(id, bench.owner)
    const file = await exportUser(bench.db.orm, bench.owner.userId)
    // A purchase and a sale of the deleted one, and a purchase of the other.
    expect(file.orders).toHaveLength(3)
    expect(file.fills).toHaveLength(3)
    expect(file.positions).toHaveLength(1)
    // The check of the other one counts what was traded with as known.
    bench.clock.aheadMs += 61_000
    await bench.tick()
    expect(await bench.bot(other)).toMatchObject({ status: 'active', statusReason: null })
  })

  it('leaves to its owner, who sells by hand, all but what bots hold, or may hold by now', async () => {
    const sell = (amount: number, limit = {}) =>
      bench.ask('POST', '/api/order', {
        symbol: 'BTCUSDT',
        side: 'sell',
        type: 'market',
        amount,
        isVirtual: false,
        ...limit,
      })
    await bench.started()
    await bench.says('BUY', 20_000)
    const { status, body } = await sell(1.0001)
    expect([status, body.code]).toEqual([422, 'insufficient_funds'])
    expect(body.error).toBe(
      "The account at Binance has 1.00999 BTC, of which 0.00999 BTC are your bots', and 1 BTC are left for this order. Nothing was sent. Stop a bot to have it sell what it holds.",
    )
    // What waits to be sold is sold already.
    expect((await sell(0.4, { type: 'limit', price: 30_000 })).body.status).toBe('open')
    expect((await sell(0.7)).body.code).toBe('insufficient_funds')
    expect((await sell(0.6)).body.status).toBe('filled')
    expect(bench.sent()).toHaveLength(3)
    // Nobody knows yet what an order has brought: it may be there.
    await bench.fresh()
    const other = await bench.started()
    bench.exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'lose-reply' } })
    await bench.says('BUY', 20_000)
    expect((await bench.orders(other))[0]).toMatchObject({ status: 'sending' })
    expect((await sell(1.0001)).body.error).toContain("of which 0.01 BTC are your bots'")
    expect((await sell(0.9)).body.status).toBe('filled')
    await bench.settle(20_000)
    expect(await bench.bot(other)).toMatchObject({ status: 'active', statusReason: null })
  })

  it('sells only what it bought when several share an account, and nobody sells the coins that were there before', async () => {
    const first = await bench.started({ name: 'A' })
    const second = await bench.started({ name: 'B', positionSize: 0.02 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(btc()).toBeCloseTo(1 + 0.02997, 8)
    await bench.control.stop(first, bench.owner, 'real money')
    await bench.settle()
    expect(btc()).toBeCloseTo(1 + 0.01998, 8)
    expect((await bench.balance(second)).positions).toMatchObject([{ quantity: 0.01998 }])
    await bench.control.stop(second, bench.owner, 'real money')
    await bench.settle()
    expect(btc()).toBeCloseTo(1, 8)
  })
})

describe('orders of a bot when something goes wrong', () => {
  const ONE_BUY = [{ side: 'BUY', qty: 0.01, status: 'FILLED' }]

  it.each([
    ['the reply is lost', { kind: 'lose-reply' }],
    ['the exchange says 503 after it took the order', { kind: 'unknown-outcome' }],
  ] as const)('where %s it is found, and not sent twice', async (_what, fault) => {
    const id = await bench.started()
    bench.exchange.faults.rest({ at: /POST .*order/, fault })
    await bench.says('BUY', 20_000)
    await bench.settle(20_000)
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(bench.sent()).toMatchObject(ONE_BUY)
    expect((await bench.balance(id)).positions).toMatchObject([{ quantity: 0.00999 }])
  })

  it('sends nothing while an order is in doubt, and says so', async () => {
    const id = await bench.started()
    bench.exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'drop' } })
    await bench.says('BUY', 20_000)
    await bench.says('BUY', 20_000)
    const [decision] = await bench.decisions(id)
    expect(decision!.reason).toBe('No order: its last order of BTCUSDT is not settled yet.')
    await bench.settle(61_000)
    expect(bench.sent()).toEqual([])
    const first = (await bench.decisions(id))[1]!
    expect(first).toMatchObject({ rule: 'order_skipped', action: 'no_order' })
    expect(first.reason).toContain('it was not placed')
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(bench.sent()).toMatchObject(ONE_BUY)
  })

  it('takes a refusal of the exchange into the log, and goes on', async () => {
    const id = await bench.started()
    bench.exchange.spot.balances.set('USDT', 100)
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect((await bench.decisions(id))[0]).toMatchObject({ rule: 'order_skipped', action: 'no_order' })
    bench.exchange.spot.balances.set('USDT', 100_000)
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(bench.sent()).toMatchObject(ONE_BUY)
  })

  it('make half a position when half filled, and that half is sold', async () => {
    const id = await bench.started()
    bench.exchange.faults.partialFills.push(0.5)
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect((await bench.balance(id)).positions).toMatchObject([{ quantity: 0.004995, entryPrice: 20_000 }])
    expect((await bench.balance(id)).balance).toBeCloseTo(999.9, 8)
    await bench.says('SELL', 20_000)
    await bench.settle()
    // Lots are 0.00001 BTC: the half lot stays.
    expect(btc()).toBeCloseTo(1.000005, 8)
    expect((await bench.balance(id)).positions).toEqual([])
  })

  it('are tried again at the next close where the exchange asks for patience', async () => {
    const id = await bench.started()
    bench.exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'limited', status: 429, retryAfterS: 0.02 } })
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(bench.sent()).toEqual([])
    expect((await bench.decisions(id))[0]).toMatchObject({ rule: 'order_skipped', action: 'no_order' })
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(bench.sent()).toMatchObject(ONE_BUY)
  })

  it.each(someSteps([0, 5, 7, 11, 14, 18]))(
    'survive a process that is killed before its step %i: nothing is bought or sold twice, no candle decided twice',
    async (k) => {
      const life = new Life()
      const mortal = bench.startProcess(life)
      const id = await bench.started({ stopLossPct: 5 })
      life.endAfter(k)
      for (const [signal, price] of [
        ['BUY', 20_000],
        ['SELL', 20_200],
      ] as const) {
        bench.script.signal = signal
        bench.close(price)
        await bench.tick(mortal).catch(() => undefined)
        await bench.settle(61_000)
      }
      await mortal.room.close()
      const filled = bench.sent().filter(({ status }) => status === 'FILLED')
      const buys = filled.filter(({ side }) => side === 'BUY')
      expect([buys.length <= 1, filled.length - buys.length <= 1]).toEqual([true, true])
      // What the ledger has is what the exchange has beyond the coin that was there.
      const { balance, positions } = await bench.balance(id)
      const held = positions[0]?.quantity ?? 0
      expect(btc() - 1).toBeCloseTo(held, 8)
      const spent = held * (positions[0]?.entryPrice ?? 0)
      expect(bench.exchange.spot.balances.get('USDT')! - 100_000).toBeCloseTo(balance - 1_000 - spent, 6)
      expect(await bench.decisions(id)).toHaveLength(2)
      expect(await bench.bot(id)).toMatchObject({ status: 'active' })
      expect(life.isOver).toBe(true)
    },
  )
})

describe('the kill switch', () => {
  it('stops every bot, cancels what is open, and keeps real trading off until it is allowed again', async () => {
    const id = await bench.started({ stopLossPct: 5 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    const { killSwitch } = bench.rooms
    const killed = await killSwitch.kill(false, bench.owner, 'the exchange answers nonsense')
    expect(killed).toMatchObject({
      killed: true,
      killedReason: 'the exchange answers nonsense',
      closing: false,
      killedBy: bench.owner.userId,
      activeBots: 1,
      openOrders: 0,
      positions: [{ botId: id, botName: expect.stringMatching(/^R\d+$/), symbol: 'BTCUSDT', quantity: 0.00999 }],
    })
    expect(bench.exchange.spot.book.open('BTCUSDT')).toEqual([])
    expect(await bench.bot(id)).toMatchObject({ status: 'stopped' })
    expect((await bench.bot(id)).statusReason).toContain('without a stop-loss')
    // No stop comes back, and nothing starts, in whichever process.
    await bench.settle(120_000)
    expect(bench.exchange.spot.book.open('BTCUSDT')).toEqual([])
    const other = bench.startProcess()
    const start = () => other.control.start(id, bench.owner, 'real money')
    expect((await failureOf(start()))[0]).toBe('conflict')
    expect(await killSwitch.read({ role: 'user' })).toMatchObject({
      killed: true,
      killedBy: null,
      killedReason: null,
      positions: [],
    })
    expect(await killSwitch.kill(false, bench.owner)).toEqual(killed)

    expect(await killSwitch.allow(bench.owner)).toMatchObject({ killed: false, killedReason: null, closing: false })
    await start()
    await bench.settle()
    expect(bench.exchange.spot.book.open('BTCUSDT')).toMatchObject([{ type: 'STOP_LOSS', qty: 0.00999 }])
    await other.room.close()
  })

  it('tells the owner of a bot why another admin stopped it, once', async () => {
    const id = await bench.started()
    const { killSwitch } = bench.rooms
    const other = { ...bench.owner, userId: '00000000-0000-4000-8000-00000000000b' }
    await killSwitch.kill(false, other, 'the exchange answers nonsense')
    await killSwitch.enforce()
    const { rows } = await bench.db.pool.query(
      "select title, text from platform.notifications where title like '%kill switch' and bot->>'id' = $1",
      [id],
    )
    expect(rows).toEqual([
      {
        title: expect.stringMatching(/^R\d+ was stopped by the kill switch$/),
        text: expect.stringMatching(/ Reason given: the exchange answers nonsense$/),
      },
    ])
    expect(await bench.bot(id)).toMatchObject({ status: 'stopped' })
  })

  it('with close sells what the bots hold', async () => {
    const id = await bench.started({ stopLossPct: 5 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await bench.rooms.killSwitch.kill(true, bench.owner)
    await bench.settle(61_000)
    expect(btc()).toBeCloseTo(1, 8)
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'stopped' }])
    expect(await bench.rooms.killSwitch.read(bench.owner)).toMatchObject({ killed: true, activeBots: 0, positions: [] })
  })

  it('with close counts dust, less than a lot, neither as a position nor as a bot at work', async () => {
    const id = await bench.started({ positionSize: 0.0101 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await bench.rooms.killSwitch.kill(true, bench.owner)
    await bench.settle(61_000)
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'stopped' }])
    expect((await bench.room.realBots.holdings(bench.db.orm)).map(({ quantity }) => quantity)).not.toEqual([])
    expect(await bench.rooms.killSwitch.read(bench.owner)).toMatchObject({ killed: true, activeBots: 0, positions: [] })
  })

  it('keeps an order that was about to be written down from being sent', async () => {
    const id = await bench.started()
    bench.script.signal = 'BUY'
    bench.close(20_000)
    // Between the look at the exchange and the transaction.
    bench.between.wrap = (trading) => ({
      ...trading,
      async findOrder(...asked) {
        await bench.room.realBots
          .lock(bench.db.orm)
          .then(() => bench.room.realBots.change(bench.db.orm, { killedAtMs: 1, killedBy: null, closing: false }))
        return trading.findOrder(...asked)
      },
    })
    const process = bench.startProcess()
    await bench.tick(process)
    await process.room.close()
    expect(bench.sent()).toEqual([])
    expect((await bench.decisions(id))[0]!.reason).toContain('The kill switch is on')
  })

  it('keeps what is written down from being sent, which ends as not placed', async () => {
    const id = await bench.started()
    const process = bench.startProcess(undefined, async () => {
      await bench.rooms.killSwitch.kill(false, bench.owner)
    })
    bench.script.signal = 'BUY'
    bench.close(20_000)
    await bench.tick(process)
    expect(await bench.orders(id)).toMatchObject([{ status: 'sending' }])
    await bench.settle(61_000)
    expect(bench.sent()).toEqual([])
    expect(await bench.orders(id)).toMatchObject([{ status: 'not_placed' }])
    expect((await bench.decisions(id))[0]).toMatchObject({ rule: 'order_skipped', action: 'no_order' })
    expect(await bench.bot(id)).toMatchObject({ status: 'stopped' })
    await process.room.close()
  })
})

describe('reconciliation', () => {
  const minuteLater = async () => {
    bench.clock.aheadMs += 61_000
    await bench.tick()
  }

  it('stops a bot where the exchange holds coins that it does not know of, and lets it start after a look', async () => {
    const id = await bench.started()
    await bench.says('BUY', 20_000)
    await bench.settle()
    await minuteLater()
    expect(await bench.bot(id)).toMatchObject({ status: 'active' })
    bench.exchange.spot.balances.set('BTC', btc() + 0.02)
    await minuteLater()
    expect(await bench.bot(id)).toMatchObject({
      status: 'error',
      statusReason:
        'The exchange holds 0.02 BTC that this bot does not know of. It sends no orders any more; look at the account, then start it again.',
    })
    await bench.says('SELL', 20_000)
    expect(bench.sent()).toHaveLength(1)
    await bench.control.start(id, bench.owner, 'real money')
    await bench.says('SELL', 20_000)
    await bench.settle()
    expect(await bench.trades(id)).toHaveLength(1)
  })

  it('stops it where coins are missing, and does not let it start before they are back', async () => {
    const id = await bench.started()
    await bench.says('BUY', 20_000)
    await bench.settle()
    bench.exchange.spot.balances.set('BTC', 0.005)
    await minuteLater()
    expect((await bench.bot(id)).statusReason).toContain('BTC less than this bot knows of.')
    const start = () => bench.control.start(id, bench.owner, 'real money')
    expect((await failureOf(start()))[0]).toBe('conflict')
    bench.exchange.spot.balances.set('BTC', 0.00999)
    await start()
  })

  it('counts what its owner trades here by hand as known', async () => {
    const id = await bench.started()
    const draft = { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.03, isVirtual: false } as const
    await bench.room.orders.place(draft, { member: bench.owner, request: null })
    await minuteLater()
    expect(await bench.bot(id)).toMatchObject({ status: 'active' })
  })

  it('does not take a coin for a stranger while fees are paid in another one', async () => {
    bench.exchange.spot.feesIn = { asset: 'BNB', price: 600 }
    bench.exchange.spot.balances.set('BNB', 10)
    const id = await bench.started()
    await bench.says('BUY', 20_000)
    await bench.settle()
    await minuteLater()
    expect((await bench.balance(id)).positions).toMatchObject([{ quantity: 0.01 }])
    expect(await bench.bot(id)).toMatchObject({ status: 'active' })
  })

  it('stops the bot whose trades the exchange does not tell, checks the others, and books them once a person starts it', async () => {
    const id = await bench.started()
    const other = await bench.started({ mlModelVersion: 'v2', positionSize: 0.02 })
    await bench.control.pause(other, bench.owner)
    bench.exchange.faults.rest({ at: /myTrades/, times: 1e6, fault: { kind: 'status', status: 200, body: '[]' } })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await minuteLater()
    expect(await bench.bot(id)).toMatchObject({ status: 'active' })
    bench.clock.aheadMs += 15 * 60_000
    await bench.tick()
    expect(await bench.bot(id)).toMatchObject({
      status: 'error',
      statusReason: expect.stringMatching(
        /^The exchange does not tell the trades of its order sc[0-9a-f]{30} of BTCUSDT/,
      ),
    })
    expect(await bench.bot(other)).toMatchObject({ status: 'paused', statusReason: null })

    bench.exchange.spot.balances.set('BTC', btc() + 0.02)
    await minuteLater()
    expect((await bench.bot(other)).statusReason).toContain('BTC that this bot does not know of.')
    await bench.control.start(id, bench.owner, 'real money')
    await bench.settle()
    expect((await bench.balance(id)).positions).toMatchObject([{ quantity: 0.01, entryPrice: 20_000 }])
    expect(await bench.bot(id)).toMatchObject({ status: 'active' })
  })
})
