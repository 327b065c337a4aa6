import type { AppError } from '@shapecast/contracts/errors'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createRealBotsBench, type RealBotsBench } from './support/real-bots-bench.ts'

let bench: RealBotsBench
beforeAll(async () => {
  bench = await createRealBotsBench()
})
beforeEach(() => bench.fresh())
afterAll(() => bench.end())

/** Of each fill's value. */
const FEE = 0.0004
const MAINTENANCE = 0.004
const futures = () => bench.exchange.futures
const position = () => futures().position('BTCUSDT')
const started = (draft: object = {}) => bench.started({ marketType: 'futures', leverage: 10, ...draft })
/** What waits over the position: type, price, quantity, whether it is reduce-only. */
const legs = () =>
  futures()
    .stops.open('BTCUSDT')
    .map(({ orderType, triggerPrice, qty, reduceOnly }) => [orderType, triggerPrice, qty, reduceOnly])
const failureOf = async (work: Promise<unknown>): Promise<[string, string]> => {
  try {
    await work
  } catch (error) {
    return [(error as AppError).code, (error as AppError).message]
  }
  throw new Error('It did not fail.')
}
const minuteLater = async () => {
  bench.clock.aheadMs += 61_000
  await bench.tick()
}
/** Funding is asked for after a full hour. */
const hourLater = async () => {
  const at = bench.price()
  bench.exchange.clock.advance(3_600_000)
  bench.setPrice(at)
  await minuteLater()
}
/** What the bot has by its ledger is what the exchange has. */
const sameMoney = async (id: string) => {
  const { balance } = await bench.balance(id)
  expect(futures().wallet - 100_000).toBeCloseTo(balance - 1_000, 6)
}

describe('a bot with real money on futures', () => {
  it('sets isolated margin and its leverage, goes long, turns short and closes, to the cent', async () => {
    const id = await started()
    expect(position()).toMatchObject({ isolated: true, leverage: 10 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(bench.sentFutures()).toMatchObject([{ side: 'BUY', qty: 0.01, reduceOnly: false, status: 'FILLED' }])
    const held = await bench.balance(id)
    expect(held.positions).toMatchObject([
      {
        side: 'long',
        quantity: 0.01,
        entryPrice: 20_000,
        margin: 20,
        // As the exchange says it, once it was asked.
        liquidationPrice: expect.closeTo(18_090, 0),
      },
    ])
    expect(held.balance).toBeCloseTo(1_000 - 200 * FEE, 8)
    // Worth what futures cost, whatever the installation's spot market says.
    const spotPrice = bench.botMarket.price
    bench.botMarket.price = async () => 30_000
    expect((await bench.balance(id)).positions).toMatchObject([{ markPrice: 20_000, unrealizedPnL: 0 }])
    bench.botMarket.price = spotPrice

    await bench.says('SELL', 21_000)
    await bench.settle()
    expect(bench.sentFutures().slice(1)).toMatchObject([
      { side: 'SELL', qty: 0.01, reduceOnly: true, status: 'FILLED' },
      { side: 'SELL', qty: 0.01, reduceOnly: false, status: 'FILLED' },
    ])
    expect(position().amount).toBe(-0.01)
    // Long: 0.01 × 1,000 = 10; fees of 0.08 and 0.084.
    const [long] = await bench.trades(id)
    expect(long).toMatchObject({ side: 'long', entryPrice: 20_000, exitPrice: 21_000, quantity: 0.01 })
    expect(long!.netPnL).toBeCloseTo(10 - 410 * FEE, 8)
    const [short] = (await bench.balance(id)).positions
    expect(short).toMatchObject({ side: 'short', quantity: 0.01, entryPrice: 21_000 })
    // Above it, and not that of the long before.
    expect(short!.liquidationPrice).toBeGreaterThan(22_900)

    await bench.says('BUY', 20_500)
    await bench.settle()
    // Short: 0.01 × 500 = 5.
    const [second] = await bench.trades(id)
    expect(second).toMatchObject({ side: 'short', entryPrice: 21_000, exitPrice: 20_500, exitReason: 'reversal' })
    expect(second!.netPnL).toBeCloseTo(5 - 415 * FEE, 8)
    expect((await bench.decisions(id)).map(({ action }) => action)).toEqual(['reversed', 'reversed', 'opened_long'])
    await sameMoney(id)

    await bench.control.stop(id, bench.owner, 'real money')
    await bench.settle()
    expect(position().amount).toBe(0)
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'stopped' }, {}, {}])
    await sameMoney(id)
    expect(bench.sent()).toEqual([])
  })

  it('stops where its leverage was changed by hand at the exchange, says so, and sets it back at its next start', async () => {
    const id = await started()
    await bench.says('BUY', 20_000)
    await bench.settle()
    futures().setLeverage('BTCUSDT', 25)
    await minuteLater()
    const { status, statusReason } = await bench.bot(id)
    expect([status, statusReason]).toEqual([
      'error',
      'The leverage of the position in BTCUSDT was changed to 25 at the exchange, and this bot trades with 10. A start sets it back. It sends no orders any more; look at the account, then start it again.',
    ])
    expect(position()).toMatchObject({ amount: 0.01, leverage: 25 })
    await bench.control.start(id, bench.owner, 'real money')
    expect(position()).toMatchObject({ amount: 0.01, leverage: 10 })
    await minuteLater()
    expect((await bench.bot(id)).status).toBe('active')
  })

  it.each([
    ['long', 'BUY', 19_500, -5],
    ['short', 'SELL', 19_500, 5],
  ] as const)(
    'is shown at the mark price, by which the exchange liquidates, while it is %s',
    async (_, signal, mark, pnl) => {
      const id = await started()
      await bench.says(signal, 20_000)
      await bench.settle()
      futures().marks.set('BTCUSDT', mark)
      const shown = await bench.balance(id)
      expect(shown.positions).toMatchObject([{ markPrice: mark, markedBy: 'mark' }])
      expect(shown.unrealizedPnL).toBeCloseTo(pnl, 8)
      expect(shown.equity).toBeCloseTo(1_000 - 200 * FEE + pnl, 8)
      // Of an exchange that tells none it is the last price.
      bench.exchange.faults.rest({ at: /premiumIndex/, fault: { kind: 'status', status: 200, body: '{}' } })
      expect((await bench.balance(id)).positions).toMatchObject([{ markPrice: 20_000, markedBy: 'last' }])
    },
  )

  it.each([
    ['long', 'BUY', 19_000, 18_990],
    ['short', 'SELL', 21_000, 21_010],
  ] as const)('lets a stop-loss stand over a %s, which closes without us', async (side, signal, at, beyond) => {
    const id = await started({ stopLossPct: 5 })
    await bench.says(signal, 20_000)
    await bench.settle()
    expect(futures().stops.open('BTCUSDT')).toMatchObject([{ triggerPrice: at, qty: 0.01, reduceOnly: true }])
    bench.script.signal = 'HOLD'
    bench.setPrice(beyond)
    await bench.settle()
    expect(position().amount).toBe(0)
    expect(await bench.trades(id)).toMatchObject([{ side, exitReason: 'stop_loss', exitPrice: beyond }])
    await sameMoney(id)
  })

  it('moves its stop-loss with the position that it turns round', async () => {
    await started({ stopLossPct: 5 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await bench.says('SELL', 20_000)
    await bench.settle()
    expect(futures().stops.open('BTCUSDT')).toMatchObject([{ side: 'BUY', triggerPrice: 21_000, qty: 0.01 }])
  })

  it.each([
    ['long', 'BUY', 22_000, 22_010],
    ['short', 'SELL', 18_000, 17_990],
  ] as const)('lets a take profit stand over a %s, which closes without us', async (side, signal, at, beyond) => {
    const id = await started({ takeProfitPct: 10 })
    await bench.says(signal, 20_000)
    await bench.settle()
    expect(legs()).toEqual([['TAKE_PROFIT_MARKET', at, 0.01, true]])
    bench.script.signal = 'HOLD'
    bench.setPrice(beyond)
    // Nobody of us was there.
    expect(position().amount).toBe(0)
    await bench.settle()
    await bench.settle()
    expect(await bench.trades(id)).toMatchObject([
      { side, exitReason: 'take_profit', exitPrice: beyond, quantity: 0.01 },
    ])
    expect(bench.sentFutures()).toHaveLength(2)
    expect(await bench.orders(id)).toMatchObject([
      { type: 'take_profit', status: 'filled', stopPrice: at, price: null, reduceOnly: true },
      { type: 'market', status: 'filled', reduceOnly: false },
    ])
    await sameMoney(id)
  })

  it('books funding once, and gives it to the trade', async () => {
    const id = await started()
    futures().fund('BTCUSDT', 0.001)
    await bench.says('BUY', 20_000)
    await bench.settle()
    futures().fund('BTCUSDT', 0.001)
    await hourLater()
    await hourLater()
    expect((await bench.balance(id)).balance).toBeCloseTo(1_000 - 200 * FEE - 0.2, 8)
    await bench.control.stop(id, bench.owner, 'real money')
    await bench.settle()
    const [trade] = await bench.trades(id)
    expect(trade!.funding).toBeCloseTo(-0.2, 8)
    expect(trade!.netPnL).toBeCloseTo(-400 * FEE - 0.2, 8)
    await sameMoney(id)
  })

  it('books the loss of its margin once at liquidation, as a trade, and goes on', async () => {
    const id = await started()
    await bench.says('BUY', 20_000)
    await bench.settle()
    bench.script.signal = 'HOLD'
    bench.setPrice(18_000)
    expect(position().amount).toBe(0)
    await minuteLater()
    await bench.settle()
    await minuteLater()
    const at = (20_000 * 0.9) / (1 - MAINTENANCE)
    const [trade, ...more] = await bench.trades(id)
    expect(more).toEqual([])
    expect(trade).toMatchObject({ side: 'long', exitReason: 'liquidation', quantity: 0.01 })
    expect(trade!.exitPrice).toBeCloseTo(at, 4)
    // A tenth of 200, and the fee of the entry.
    expect(trade!.netPnL).toBeCloseTo(-20 - 200 * FEE, 6)
    expect((await bench.balance(id)).positions).toEqual([])
    await sameMoney(id)
    expect(await bench.bot(id)).toMatchObject({ status: 'active', totalTrades: 1 })
  })

  it('cancels the stop-loss of a position that was liquidated', async () => {
    const id = await started({ stopLossPct: 15, leverage: 20 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    expect(futures().stops.open()).toHaveLength(1)
    bench.script.signal = 'HOLD'
    bench.setPrice(18_500)
    expect(position().amount).toBe(0)
    await minuteLater()
    await bench.settle()
    expect(futures().stops.open()).toEqual([])
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'liquidation' }])
  })
})

describe('stop-loss and take profit of one position', () => {
  const STOP = ['STOP_MARKET', 19_000, 0.01, true]
  const TARGET = ['TAKE_PROFIT_MARKET', 22_000, 0.01, true]
  const long = async (draft: object = {}) => {
    const id = await started({ stopLossPct: 5, takeProfitPct: 10, ...draft })
    await bench.says('BUY', 20_000)
    await bench.settle()
    bench.script.signal = 'HOLD'
    return id
  }

  it.each([
    ['stop_loss', 18_990],
    ['take_profit', 22_010],
  ] as const)('stand beside each other; after a %s the other one is cancelled', async (exitReason, beyond) => {
    const id = await long()
    expect(legs()).toEqual([STOP, TARGET])
    bench.setPrice(beyond)
    await bench.settle()
    expect([legs(), position().amount]).toEqual([[], 0])
    expect(await bench.trades(id)).toMatchObject([{ exitReason, exitPrice: beyond, quantity: 0.01 }])
    expect(bench.sentFutures()).toHaveLength(2)
    await bench.settle(70_000)
    expect(bench.sentFutures()).toHaveLength(2)
    await sameMoney(id)
  })

  it('never close more than there is, though a wick reaches both', async () => {
    const id = await long()
    futures().match('BTCUSDT', { low: 18_000, high: 23_000 })
    expect(position().amount).toBe(0)
    await bench.settle()
    await bench.settle()
    expect(await bench.trades(id)).toMatchObject([{ quantity: 0.01 }])
    expect([position().amount, legs()]).toEqual([0, []])
    await sameMoney(id)
  })

  it('are cancelled when the position is gone, before the next entry', async () => {
    const id = await long()
    // The stop becomes known to be filled before anybody looks after what stands beside it.
    const later = Date.now() + bench.clock.aheadMs + 3_600_000
    await bench.db.pool.query('update trading.orders set next_guard_ms = $1 where guard_price is not null', [later])
    bench.setPrice(18_990)
    bench.clock.aheadMs += 21_000
    await bench.room.reconcileOrders()
    expect(legs()).toEqual([TARGET])
    await bench.tick()
    await bench.says('BUY', 19_000)
    expect(legs()).toEqual([
      ['STOP_MARKET', 18_050, 0.01, true],
      ['TAKE_PROFIT_MARKET', 20_900, 0.01, true],
    ])
    bench.script.signal = 'HOLD'
    bench.setPrice(22_000)
    await bench.settle(20_000)
    expect(await bench.trades(id)).toMatchObject([
      { exitReason: 'take_profit', entryPrice: 19_000 },
      { exitReason: 'stop_loss', entryPrice: 20_000 },
    ])
    await sameMoney(id)
  })

  it('keep nothing from being entered but where they cannot be cancelled: then nothing is', async () => {
    const id = await long()
    bench.setPrice(18_990)
    bench.clock.aheadMs += 6_000
    bench.exchange.faults.rest({ at: /DELETE .*algoOrder/, times: 20, fault: { kind: 'status', status: 502 } })
    await bench.room.reconcileOrders()
    await bench.tick()
    await bench.says('BUY', 19_000)
    expect(position().amount).toBe(0)
    expect((await bench.decisions(id))[0]).toMatchObject({ rule: 'order_skipped', action: 'no_order' })
    bench.exchange.faults.clear()
    await bench.settle(70_000)
    expect([position().amount, legs()]).toEqual([0, []])
    await sameMoney(id)
  })

  it('share the other half after one was half filled', async () => {
    const id = await long({ positionSize: 0.02 })
    bench.exchange.faults.partialFills.push(0.5)
    bench.setPrice(22_000)
    expect(position().amount).toBe(0.01)
    await bench.settle()
    await bench.settle()
    // The price is still there: what was left is closed at the market, for the same reason.
    expect(position().amount).toBe(0)
    const trades = await bench.trades(id)
    expect(trades.map(({ exitReason, quantity }) => [exitReason, quantity])).toEqual([
      ['take_profit', 0.01],
      ['take_profit', 0.01],
    ])
    expect(legs()).toEqual([])
    await sameMoney(id)
  })

  it.each(['lose-reply', 'drop', 'unknown-outcome'] as const)(
    'are each there once though requests fail (%s)',
    async (kind) => {
      bench.exchange.faults.rest({ at: /POST .*algoOrder/, times: 2, fault: { kind } })
      const id = await long()
      await bench.settle(70_000)
      await bench.settle(70_000)
      expect(legs().toSorted()).toEqual([STOP, TARGET])
      bench.setPrice(22_000)
      await bench.settle()
      expect(await bench.trades(id)).toMatchObject([{ exitReason: 'take_profit' }])
      await sameMoney(id)
    },
  )

  it('are cancelled for what the bot closes, kept by a pause, and cancelled by the kill switch', async () => {
    const id = await long()
    await bench.control.pause(id, bench.owner)
    await bench.settle(70_000)
    expect(legs()).toEqual([STOP, TARGET])
    await bench.rooms.killSwitch.kill(false, bench.owner)
    expect([legs(), position().amount]).toEqual([[], 0.01])
    await bench.rooms.killSwitch.allow(bench.owner)
    await bench.control.start(id, bench.owner, 'real money')
    await bench.settle()
    expect(legs()).toEqual([STOP, TARGET])
    await bench.control.stop(id, bench.owner, 'real money')
    await bench.settle()
    expect([legs(), position().amount]).toEqual([[], 0])
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'stopped' }])
    await sameMoney(id)
  })

  it('leave the room that there is to the stop-loss, while the target is watched by us', async () => {
    futures().stops.mostWaiting = 1
    const id = await long()
    for (let k = 0; k < 3; k++) await bench.settle(60_000)
    expect(legs()).toEqual([STOP])
    expect(await bench.bot(id)).toMatchObject({ status: 'active', statusReason: null })
    expect((await bench.orders(id)).find(({ type }) => type === 'market')!.statusReason).toMatch(
      /^THE TAKE PROFIT AT 22000 DOES NOT STAND: .*Reach max stop order limit/,
    )
    bench.setPrice(22_000)
    await bench.settle()
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'take_profit' }])
    expect([legs(), position().amount]).toEqual([[], 0])
    await sameMoney(id)
  })

  it('do not pause the bot where the target was refused and the stop-loss has sold before that was applied', async () => {
    futures().stops.mostWaiting = 1
    const id = await started({ stopLossPct: 5, takeProfitPct: 10 })
    await bench.says('BUY', 20_000)
    bench.script.signal = 'HOLD'
    bench.clock.aheadMs += 50_000
    await bench.room.reconcileOrders()
    bench.setPrice(18_990)
    bench.clock.aheadMs += 70_000
    await bench.room.reconcileOrders()
    await bench.settle()
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'stop_loss' }])
    expect(await bench.bot(id)).toMatchObject({ status: 'active', statusReason: null })
  })

  it('give the room of the target to a stop-loss that is refused', async () => {
    const id = await long()
    futures().stops.mostWaiting = 1
    futures().stops.cancel(futures().stops.open()[0]!)
    await bench.settle(60_000)
    expect(legs()).toEqual([STOP])
    bench.setPrice(18_990)
    await bench.settle()
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'stop_loss' }])
    expect([legs(), position().amount]).toEqual([[], 0])
    await sameMoney(id)
  })

  it('are not placed target first: none stands over a position whose stop-loss is refused', async () => {
    futures().stops.mostWaiting = 0
    await long()
    expect(legs()).toEqual([])
    const placed = futures().stops.all.length
    futures().stops.mostWaiting = 1
    await bench.settle(60_000)
    expect([legs(), futures().stops.all.length]).toEqual([[STOP], placed + 1])
    futures().stops.mostWaiting = 2
    await bench.settle(60_000)
    expect(legs()).toEqual([STOP, TARGET])
  })

  it('pause the bot at the second refusal in a row, not at the first', async () => {
    const look = async () => {
      bench.clock.aheadMs += 50_000
      await bench.room.reconcileOrders()
      await bench.tick()
    }
    const id = await started({ stopLossPct: 5 })
    futures().stops.mostWaiting = 0
    await bench.says('BUY', 20_000)
    bench.script.signal = 'HOLD'
    futures().stops.mostWaiting = 10
    await look()
    expect(legs()).toEqual([STOP])
    futures().stops.mostWaiting = 0
    futures().stops.cancel(futures().stops.open()[0]!)
    for (const status of ['active', 'paused']) {
      await look()
      expect([legs(), (await bench.bot(id)).status]).toEqual([[], status])
    }
  })

  it('are watched by us where the exchange does not take the target', async () => {
    bench.exchange.faults.rest({
      at: /POST .*algoOrder/,
      times: 50,
      fault: { kind: 'status', status: 400, body: JSON.stringify({ code: -4120, msg: 'Not supported.' }) },
    })
    const id = await long({ stopLossPct: 0 })
    expect(legs()).toEqual([])
    bench.setPrice(22_000)
    await bench.settle()
    expect(position().amount).toBe(0)
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'take_profit' }])
    await sameMoney(id)
  })
})

describe('a turn of a position', () => {
  it('places stop and target over an entry whose close the target did while its orders were made ready', async () => {
    const id = await started({ stopLossPct: 5, takeProfitPct: 10 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    bench.script.signal = 'SELL'
    bench.close(20_000)
    let isReady = false
    bench.between.wrap = (trading) => ({
      ...trading,
      async findOrder(...asked) {
        const found = await trading.findOrder(...asked)
        // The order that is to close the long is new to the exchange.
        if (found === null && !isReady) {
          isReady = true
          bench.setPrice(22_000)
          bench.clock.aheadMs += 25_000
          await bench.room.reconcileOrders()
        }
        return found
      },
    })
    const process = bench.startProcess()
    await bench.tick(process)
    await process.room.close()
    await bench.settle()
    expect(isReady).toBe(true)
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'take_profit', side: 'long' }])
    expect(position().amount).toBe(-0.01)
    expect(legs().map(([type, price]) => [type, price])).toEqual([
      ['STOP_MARKET', 23_100],
      ['TAKE_PROFIT_MARKET', 19_800],
    ])
    await sameMoney(id)
  })

  it('opens nothing after half a close, and says so', async () => {
    const id = await started({ positionSize: 0.02 })
    await bench.says('BUY', 20_000)
    await bench.settle()
    bench.exchange.faults.partialFills.push(0.5)
    await bench.says('SELL', 20_000)
    await bench.settle()
    expect(bench.sentFutures()).toHaveLength(2)
    expect(position().amount).toBe(0.01)
    expect((await bench.balance(id)).positions).toMatchObject([{ side: 'long', quantity: 0.01 }])
    const [decision] = await bench.decisions(id)
    expect(decision).toMatchObject({ rule: 'order_skipped', action: 'closed' })
    expect(decision!.reason).toContain('was not filled at once')
    await bench.says('SELL', 20_000)
    await bench.settle()
    expect(position().amount).toBe(-0.02)
    await sameMoney(id)
  })

  it('opens nothing until a lost close is known', async () => {
    const id = await started()
    await bench.says('BUY', 20_000)
    await bench.settle()
    bench.exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'lose-reply' } })
    await bench.says('SELL', 20_000)
    expect(bench.sentFutures()).toHaveLength(2)
    await bench.settle(20_000)
    expect(position().amount).toBe(0)
    expect((await bench.balance(id)).positions).toEqual([])
    await bench.says('SELL', 20_000)
    await bench.settle()
    expect(position().amount).toBe(-0.01)
    await sameMoney(id)
  })

  it('beyond a limit only closes', async () => {
    const limits = { maxOrderNotional: 205, maxPositionNotional: 1e6, maxDayLoss: 1e6, maxDayOrders: 10 }
    const id = await started({ parameters: { limits } })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await bench.says('SELL', 21_000)
    await bench.settle()
    expect(position().amount).toBe(0)
    const [decision] = await bench.decisions(id)
    expect(decision).toMatchObject({ action: 'closed' })
    expect(decision!.reason).toContain('Nothing was opened: it would be worth 209.90 USDT')
  })
})

describe('the positions of a bot on futures', () => {
  it('stop it where the exchange has others', async () => {
    const id = await started()
    await bench.says('BUY', 20_000)
    await bench.settle()
    await minuteLater()
    expect(await bench.bot(id)).toMatchObject({ status: 'active' })
    position().amount = 0.03
    await minuteLater()
    expect(await bench.bot(id)).toMatchObject({
      status: 'error',
      statusReason:
        'The exchange has a long position of 0.03 in BTCUSDT, and this bot knows of a long position of 0.01. It sends no orders any more; look at the account, then start it again.',
    })
    const start = () => bench.control.start(id, bench.owner, 'real money')
    const [code, words] = await failureOf(start())
    expect(code).toBe('conflict')
    expect(words).toContain('has its symbols to itself')
    position().amount = 0.01
    await start()
    expect(await bench.bot(id)).toMatchObject({ status: 'active' })
  })

  it('are of one bot a symbol and account', async () => {
    const first = await started({ name: 'First' })
    const second = await bench.created({ marketType: 'futures', name: 'Second' })
    const start = () => bench.control.start(second, bench.owner, 'real money')
    expect(await failureOf(start())).toEqual(['conflict', expect.stringContaining('First trades BTCUSDT on futures')])
    await bench.control.stop(first, bench.owner, 'real money')
    await bench.settle()
    await start()
    // Coins of a bot on spot are others.
    await bench.started({ name: 'Spot' })
    await bench.says('BUY', 20_000)
    await bench.settle()
    await minuteLater()
    expect([position().amount, bench.sent().length]).toEqual([0.01, 1])
    expect(await bench.bot(second)).toMatchObject({ status: 'active' })
  })

  it('are kept by the kill switch without their stops, or closed with it', async () => {
    const id = await started({ stopLossPct: 5 })
    await bench.says('SELL', 20_000)
    await bench.settle()
    const { killSwitch } = bench.rooms
    expect(await killSwitch.kill(false, bench.owner)).toMatchObject({
      openOrders: 0,
      positions: [{ botId: id, symbol: 'BTCUSDT', quantity: -0.01 }],
    })
    expect(futures().stops.open()).toEqual([])
    expect(position().amount).toBe(-0.01)
    // It goes on paying, though its bot is stopped.
    futures().fund('BTCUSDT', -0.001)
    await hourLater()
    expect((await bench.balance(id)).balance).toBeCloseTo(1_000 - 200 * FEE - 0.2, 8)
    await killSwitch.kill(true, bench.owner)
    await bench.settle(61_000)
    expect(position().amount).toBe(0)
    expect(await bench.trades(id)).toMatchObject([{ side: 'short', exitReason: 'stopped' }])
    expect(await killSwitch.read(bench.owner)).toMatchObject({ activeBots: 0, positions: [] })
    await sameMoney(id)
  })
})
