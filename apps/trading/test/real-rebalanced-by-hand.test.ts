import { AppError } from '@shapecast/contracts/errors'
import { REAL_MONEY_WORDS } from '@shapecast/contracts/real-bots'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Life, someSteps } from './support/mortal.ts'
import { createRealBotsBench, type RealBotsBench } from './support/real-bots-bench.ts'

let bench: RealBotsBench
beforeAll(async () => {
  bench = await createRealBotsBench()
})
beforeEach(() => bench.fresh())
afterAll(() => bench.end())

const told = (id: string, confirm: typeof REAL_MONEY_WORDS | undefined) =>
  bench.control.rebalance(id, confirm, { member: bench.owner, request: null })
const rebalance = (id: string) => told(id, REAL_MONEY_WORDS)
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error)
const filled = () =>
  bench
    .sent()
    .filter(({ type, status }) => type === 'MARKET' && status === 'FILLED')
    .map(({ side, filled: base }) => [side, Number(base.toFixed(8))])
const byHand = async (id: string) => bench.stores.trading.byHand(id)
const held = async (id: string) => (await bench.balance(id)).positions.map(({ quantity }) => quantity)

/** What the processes that live do until nothing is left, and again a minute later, when what was refused is tried again. */
async function settled(price: number): Promise<void> {
  for (let n = 0; n < 2; n++) await bench.settle(61_000)
  await bench.says('HOLD', price)
  await bench.settle(61_000)
}

/** Started, with half of its money to be held in its coins. Minutes, so that its closes are the bench's. */
async function started(draft: object = {}): Promise<string> {
  const id = await bench.created(draft)
  await bench.db.pool.query(
    `update trading.bots set parameters = parameters || '{"policy": "fixed_share"}', max_drawdown = 90 where id = $1`,
    [id],
  )
  await bench.control.start(id, bench.owner, REAL_MONEY_WORDS)
  return id
}

/** Half of 1,000 in BTC at 20,000: 0.025, of which the fee took 0.000025. */
async function half(draft: object = {}): Promise<string> {
  const id = await started(draft)
  await bench.says('HOLD', 20_000)
  await bench.settle()
  expect(filled()).toEqual([['BUY', 0.025]])
  return id
}

describe('a bot with real money that is rebalanced by hand', () => {
  it('takes the words and, as the policy is set, fresh proof; it is sold once, and the bot goes on', async () => {
    const id = await half()
    bench.setPrice(25_000)
    expect(await told(id, undefined).catch(codeOf)).toBe('unprocessable')
    await bench.confirmed(false)
    expect(await rebalance(id).catch(codeOf)).toBe('confirmation_required')
    await bench.confirmed(true)
    await Promise.all([rebalance(id), rebalance(id)])
    await bench.tick()
    await bench.settle()
    // 0.024975 at 25,000 of 1,124.375: half is 562.19, 62.19 less.
    expect(filled()).toEqual([
      ['BUY', 0.025],
      ['SELL', 0.00248],
    ])
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'rebalanced_by_hand', quantity: 0.00248 }])
    expect(await byHand(id)).toMatchObject([{ quantity: -0.00248, price: 25_000, filledPrice: 25_000, reason: null }])
    expect(await rebalance(id).catch((error: Error) => error.message)).toContain('There is nothing to do')
    expect(await bench.bot(id)).toMatchObject({ status: 'active' })
  })

  it('buys with its stop-loss, and keeps to its limits, in words', async () => {
    const id = await half({ stopLossPct: 50 })
    bench.setPrice(16_000)
    await rebalance(id)
    await bench.settle()
    expect(filled()[1]).toEqual(['BUY', expect.closeTo(0.0031, 4)])
    await bench.db.pool.query(
      `update trading.bots set parameters = jsonb_set(parameters, '{limits,maxDayOrders}', '2') where id = $1`,
      [id],
    )
    bench.setPrice(14_000)
    await rebalance(id)
    await bench.settle()
    expect(filled()).toHaveLength(2)
    expect((await byHand(id)).at(-1)).toMatchObject({ orderId: null, reason: expect.stringContaining('2 times a day') })
  })

  it('is refused under the kill switch, and while an order is not settled', async () => {
    const id = await half()
    bench.setPrice(25_000)
    bench.exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'lose-reply' }, times: 1 })
    await rebalance(id)
    await bench.tick()
    expect(await rebalance(id)).toMatchObject({ status: 'active' })
    await bench.settle(61_000)
    expect(filled()).toHaveLength(2)
    await bench.rooms.killSwitch.kill(false, bench.owner)
    bench.setPrice(30_000)
    expect(await rebalance(id).catch(codeOf)).toBe('conflict')
  })

  it.each(['kill', 'kill and sell', 'stop', 'pause'] as const)(
    'says so where %s comes before its turn, and sends none of it',
    async (how) => {
      const id = await half()
      bench.setPrice(25_000)
      await rebalance(id)
      if (how === 'stop') await bench.control.stop(id, bench.owner, REAL_MONEY_WORDS, 'keep')
      else if (how === 'pause') await bench.control.pause(id, bench.owner)
      else await bench.rooms.killSwitch.kill(how === 'kill and sell', bench.owner)
      const said = how.startsWith('kill') ? 'the kill switch was used' : 'the bot was paused, stopped or halted'
      expect(await byHand(id)).toMatchObject([{ orderId: null, reason: `No order: ${said} before its turn came.` }])
      for (let k = 0; k < 2; k++) await bench.settle(61_000)
      if (how.startsWith('kill')) await bench.rooms.killSwitch.allow(bench.owner)
      await bench.control.start(id, bench.owner, REAL_MONEY_WORDS)
      await bench.settle()
      expect(filled()).toEqual([['BUY', 0.025], ...(how === 'kill and sell' ? [['SELL', 0.02497]] : [])])
      expect(await byHand(id)).toHaveLength(1)
    },
  )

  it.each(['lose-reply', 'drop'] as const)(
    'is ordered once while the exchange leaves its order in doubt (%s), though it is told again',
    async (kind) => {
      const id = await half()
      bench.setPrice(25_000)
      bench.exchange.faults.rest({ at: /POST .*order/, fault: { kind }, times: 1 })
      await rebalance(id)
      await bench.tick()
      await rebalance(id).catch(() => undefined)
      await settled(25_000)
      expect(filled()).toEqual([
        ['BUY', 0.025],
        ['SELL', 0.00248],
      ])
      expect(await held(id)).toEqual([expect.closeTo(0.022495, 8)])
    },
  )

  it('sells the one coin first, and buys the other with what that brought, over two real coins', async () => {
    const id = await started({ tradingPairs: ['ETHUSDT', 'BTCUSDT'] })
    bench.close(20_000, { eth: 2_000 })
    await bench.tick()
    await bench.settle()
    const ofCoins = () => bench.sent().map(({ side, symbol, filled }) => [side, symbol, Number(filled.toFixed(8))])
    // A quarter of 1,000 in each, of which the fee took a thousandth: 249.75 and 249.5502, and 500.2 are left.
    const before = [
      ['BUY', 'ETHUSDT', 0.125],
      ['BUY', 'BTCUSDT', 0.01249],
    ]
    expect(ofCoins()).toEqual(before)
    await bench.db.pool.query(
      `update trading.bot_decisions set target = case symbol when 'ETHUSDT' then 0.9 else 0.05 end where bot_id = $1`,
      [id],
    )
    bench.exchange.faults.rest({ at: /POST .*order/, fault: { kind: 'lose-reply' }, times: 1 })
    await rebalance(id)
    for (let k = 0; k < 3; k++) await bench.tick()
    // BTC is to be 5% of 999.5002: 199.575 are too much. Nobody knows yet that they were sold.
    const sold = ['SELL', 'BTCUSDT', 0.00997]
    expect(ofCoins()).toEqual([...before, sold])
    for (let k = 0; k < 2; k++) await bench.settle(61_000)
    // ETH is to be 90% of 999.3008: 649.62 for 0.32481 at 2,000, of the 699.4006 that there are now.
    expect(ofCoins()).toEqual([...before, sold, ['BUY', 'ETHUSDT', 0.32481]])
    expect((await byHand(id)).map(({ symbol, filledPrice, reason }) => [symbol, filledPrice, reason])).toEqual([
      ['BTCUSDT', 20_000, null],
      ['ETHUSDT', 2_000, null],
    ])
    const { positions, equity } = await bench.balance(id)
    expect(positions.map(({ quantity }) => quantity)).toEqual([
      expect.closeTo(0.00250751, 8),
      expect.closeTo(0.124875 + 0.32448519, 8),
    ])
    expect(equity).toBeCloseTo(999.3008 - 0.64962, 4)
  })

  // From before it is written down to after the commit, and from there to after it was sent, filled and booked.
  const kills = [
    ...[0, 6, 12].map((k) => ['its step', k] as const),
    ...[0, 1, 2, 4, 6].map((k) => ['the sending and step', k] as const),
  ]
  it.each(someSteps(kills.map(([from, k], n) => [n % 2 === 0 ? 25_000 : 16_000, from, k] as const)))(
    'at %i is ordered once by the process that comes after a process that was killed before %s %i',
    async (price, from, k) => {
      const life = new Life()
      const mortal = bench.startProcess(life, async () => {
        if (from !== 'its step') life.endAfter(k)
      })
      const id = await half()
      bench.setPrice(price)
      await rebalance(id)
      if (from === 'its step') life.endAfter(k)
      await bench.tick(mortal).catch(() => undefined)
      await settled(price)
      await mortal.room.close()
      expect(filled()).toHaveLength(2)
      expect(filled()[1]).toEqual(price === 25_000 ? ['SELL', 0.00248] : ['BUY', expect.closeTo(0.0031, 4)])
      const equity = (await bench.balance(id)).equity
      expect(((await held(id))[0]! * price) / equity).toBeCloseTo(0.5, 2)
      expect(await bench.bot(id)).toMatchObject({ status: 'active', statusReason: null })
    },
  )
})
