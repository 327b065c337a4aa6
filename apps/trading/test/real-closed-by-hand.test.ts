import type { AppError } from '@shapecast/contracts/errors'
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

const close = (id: string, confirm?: typeof REAL_MONEY_WORDS) =>
  bench.control.closePosition(id, { symbol: 'BTCUSDT', confirm }, { member: bench.owner, request: null })
const btc = () => bench.exchange.spot.balances.get('BTC')!
const kinds = () => bench.sent().map(({ side, type, status }) => `${side} ${type} ${status}`)
const futures = () => bench.exchange.futures

/** A bot on spot that holds 0.00999 BTC, bought at 20,000. */
async function long(draft: object = {}): Promise<string> {
  const id = await bench.started(draft)
  await bench.says('BUY', 20_000)
  await bench.settle()
  return id
}

describe('a position of real money that is closed by hand', () => {
  it('takes the words; it is sold once at the market, without its stop-loss, and the bot goes on', async () => {
    const id = await long({ stopLossPct: 5 })
    const refused = await close(id).catch((error: AppError) => [error.code, error.field])
    expect(refused).toEqual(['unprocessable', 'confirm'])
    await Promise.all([close(id, REAL_MONEY_WORDS), close(id, REAL_MONEY_WORDS)])
    expect((await bench.balance(id)).positions).toMatchObject([{ closing: true }])
    bench.setPrice(21_000)
    await bench.tick()
    await bench.settle()
    expect(kinds()).toEqual(['BUY MARKET FILLED', 'SELL STOP_LOSS CANCELED', 'SELL MARKET FILLED'])
    // Earned 0.00999 × 1,000 = 9.99; fees 0.2 and 0.00999 × 21,000 × 0.001 = 0.20979.
    const [trade] = await bench.trades(id)
    expect(trade).toMatchObject({ exitReason: 'closed_by_hand', quantity: 0.00999, exitPrice: 21_000 })
    expect(trade!.netPnL).toBeCloseTo(9.99 - 0.40979, 8)
    expect(btc()).toBeCloseTo(1, 8)
    expect(await bench.bot(id)).toMatchObject({ status: 'active', positions: [] })
    await bench.says('BUY', 21_000)
    await bench.settle()
    expect((await bench.balance(id)).positions).toMatchObject([{ quantity: 0.00999, closing: false }])
  })

  it('is sold once where the decision of the same close would sell it too', async () => {
    const id = await long()
    await close(id, REAL_MONEY_WORDS)
    await bench.says('SELL', 20_500)
    await bench.settle()
    expect(kinds()).toEqual(['BUY MARKET FILLED', 'SELL MARKET FILLED'])
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'closed_by_hand' }])
    expect((await bench.decisions(id))[0]).toMatchObject({ action: 'no_order', rule: 'order_skipped' })
  })

  it('on futures is closed and not turned round, and nothing is left over it at the exchange', async () => {
    const id = await long({ marketType: 'futures', leverage: 10, stopLossPct: 5, takeProfitPct: 5 })
    expect(futures().stops.open('BTCUSDT')).toHaveLength(2)
    await close(id, REAL_MONEY_WORDS)
    await bench.says('SELL', 20_400)
    await bench.settle()
    expect([futures().position('BTCUSDT').amount, futures().stops.open('BTCUSDT')]).toEqual([0, []])
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'closed_by_hand', side: 'long' }])
    expect(futures().wallet - 100_000).toBeCloseTo((await bench.balance(id)).balance - 1_000, 6)
    expect(await bench.bot(id)).toMatchObject({ status: 'active' })
  })

  it('is sold when a stopped bot kept it, and the bot stays stopped', async () => {
    const id = await long({ stopLossPct: 5 })
    await bench.control.stop(id, bench.owner, undefined, 'keep')
    await close(id, REAL_MONEY_WORDS)
    await bench.settle()
    expect(kinds()).toEqual(['BUY MARKET FILLED', 'SELL STOP_LOSS CANCELED', 'SELL MARKET FILLED'])
    expect(await bench.bot(id)).toMatchObject({ status: 'stopped', statusReason: null, positions: [] })
  })

  it.each(['lose-reply', 'drop', 'unknown-outcome'] as const)(
    'is not sold again while the exchange leaves its sale in doubt (%s), though it is told again',
    async (kind) => {
      const id = await long()
      bench.exchange.faults.rest({ at: /POST .*order/, fault: { kind }, times: 1 })
      await close(id, REAL_MONEY_WORDS)
      await bench.tick()
      await close(id, REAL_MONEY_WORDS).catch(() => undefined)
      await bench.settle(61_000)
      await bench.says('HOLD', 20_000)
      await bench.settle(61_000)
      expect(bench.sent().filter(({ side, status }) => side === 'SELL' && status === 'FILLED')).toHaveLength(1)
      expect(btc()).toBeCloseTo(1, 8)
      expect((await bench.balance(id)).positions).toEqual([])
    },
  )

  it('is sold to the end after a half fill', async () => {
    const id = await long()
    bench.exchange.faults.partialFills.push(0.5)
    await close(id, REAL_MONEY_WORDS)
    for (let k = 0; k < 3; k++) await bench.settle(61_000)
    // But for half a lot of 0.00001.
    expect(btc()).toBeLessThan(1.00001)
    const trades = await bench.trades(id)
    expect(trades.map(({ exitReason }) => exitReason)).toEqual(['closed_by_hand', 'closed_by_hand'])
    expect(trades.reduce((sum, { quantity }) => sum + quantity, 0)).toBeCloseTo(0.009985, 8)
  })

  it.each(someSteps([0, 3, 5, 7, 9, 12]))(
    'is sold once by the process that comes after a process that was killed before its step %i',
    async (k) => {
      const life = new Life()
      const mortal = bench.startProcess(life)
      const id = await long({ stopLossPct: 5 })
      await close(id, REAL_MONEY_WORDS)
      life.endAfter(k)
      await bench.tick(mortal).catch(() => undefined)
      for (let n = 0; n < 3; n++) await bench.settle(61_000)
      await mortal.room.close()
      expect(life.isOver).toBe(true)
      const sales = bench
        .sent()
        .filter(({ side, type, status }) => `${side} ${type} ${status}` === 'SELL MARKET FILLED')
      expect(sales).toHaveLength(1)
      expect(btc()).toBeCloseTo(1, 8)
      expect(await bench.trades(id)).toMatchObject([{ exitReason: 'closed_by_hand' }])
      expect(await bench.bot(id)).toMatchObject({ status: 'active', statusReason: null })
    },
  )

  const kill = (close: boolean) => bench.rooms.killSwitch.kill(close, bench.owner)
  const newsOf = async (id: string) =>
    (
      await bench.db.pool.query(
        "select title, text from platform.notifications where kind = 'halt' and bot ->> 'id' = $1",
        [id],
      )
    ).rows

  it('is kept where the kill switch comes before the sale and keeps positions, and its owner is told', async () => {
    const id = await long({ stopLossPct: 5 })
    await close(id, REAL_MONEY_WORDS)
    await kill(false)
    for (let k = 0; k < 3; k++) await bench.settle(61_000)
    expect(kinds()).toEqual(['BUY MARKET FILLED', 'SELL STOP_LOSS CANCELED'])
    expect((await bench.balance(id)).positions).toMatchObject([{ quantity: 0.00999, closing: false }])
    expect(await bench.bot(id)).toMatchObject({
      status: 'stopped',
      statusReason: expect.stringContaining('keeps what'),
    })
    expect(await newsOf(id)).toEqual([
      {
        title: expect.stringMatching(/^R\d+ keeps its position$/),
        text: expect.stringContaining('It was told to close BTCUSDT. The kill switch was used before'),
      },
    ])
    // Told again, it is the wish of a person who knows of the switch.
    await close(id, REAL_MONEY_WORDS)
    for (let k = 0; k < 3; k++) await bench.settle(61_000)
    expect(btc()).toBeCloseTo(1, 8)
    expect(await bench.trades(id)).toMatchObject([{ exitReason: 'closed_by_hand' }])
  })

  it.each(['sell', 'keep'] as const)(
    'of a bot that was stopped with "%s" is kept too by the kill switch that keeps positions',
    async (position) => {
      const id = await long({ stopLossPct: 5 })
      await bench.control.stop(id, bench.owner, REAL_MONEY_WORDS, position)
      if (position === 'keep') await close(id, REAL_MONEY_WORDS)
      await kill(false)
      for (let k = 0; k < 3; k++) await bench.settle(61_000)
      expect(btc()).toBeCloseTo(1.00999, 8)
      expect(await bench.bot(id)).toMatchObject({
        status: 'stopped',
        statusReason: expect.stringContaining('keeps what'),
      })
      expect(await newsOf(id)).toHaveLength(1)
    },
  )

  it('is sold where the kill switch closes positions', async () => {
    const id = await long({ stopLossPct: 5 })
    await close(id, REAL_MONEY_WORDS)
    await kill(true)
    for (let k = 0; k < 3; k++) await bench.settle(61_000)
    expect(btc()).toBeCloseTo(1, 8)
    expect(await bench.trades(id)).toHaveLength(1)
    expect(await newsOf(id)).toEqual([])
  })
})
