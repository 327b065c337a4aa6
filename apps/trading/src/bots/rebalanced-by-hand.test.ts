import type { BotDraft } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { type Candles, candlesFromRows, indexAtOrAfter } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { keyedRequest } from '@shapecast/platform/http/keyed-request'
import { audit } from '@shapecast/platform/tables'
import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BotsBench, createBotsBench, type ScriptedMarket, scriptedMarket } from '../../test/support/bots-bench.ts'
import { createServiceBench, type ServiceBench } from '../../test/support/service-bench.ts'
import { rebalancesFile } from './rebalances.ts'

const HOUR = TIMEFRAME_MS['1h']
const START = Date.UTC(2024, 0, 1)
const PAIRS = ['BTCUSDT', 'ETHUSDT'] as const
type Prices = Readonly<Record<(typeof PAIRS)[number], number>>
/** 100 throughout, so that every fill can be worked out by hand. */
const FLAT = candlesFromRows(Array.from({ length: 200 }, (_, k) => [START + k * HOUR, 100, 100, 100, 100, 1]))
const WALKS = [5, 6].map((seed) => generateCandles({ candles: 200, seed, startMs: START, clusters: 0.3 }))

let bench: ServiceBench
let market: ScriptedMarket
let room: BotsBench
let series: ReadonlyMap<string, Candles>

beforeAll(async () => {
  bench = await createServiceBench()
})
afterAll(() => bench.close())
async function on(candles: readonly Candles[]): Promise<void> {
  await bench.db.pool.query('delete from trading.bots')
  series = new Map(PAIRS.map((symbol, k) => [symbol, candles[k]!]))
  market = scriptedMarket(series)
  market.nowMs = START + 90 * HOUR + 60_000
  room = createBotsBench(bench.db, market)
}
beforeEach(() => on([FLAT, FLAT]))

/** The candle that forms now, as the market has it in the end. */
const nowOf = (symbol: string) => {
  const { open, high, low, ts } = series.get(symbol)!
  const i = indexAtOrAfter(series.get(symbol)!, Math.floor(market.nowMs / HOUR) * HOUR)
  return { ts: ts[i]!, open: open[i]!, high: high[i]!, low: low[i]! }
}
/** What the candles that form stand at; a low is what they have reached before. */
function forming(prices: Partial<Prices> = {}, low = Number.POSITIVE_INFINITY): void {
  for (const symbol of PAIRS) {
    const { ts, open } = nowOf(symbol)
    const price = prices[symbol] ?? open
    market.formingRows.set(symbol, [ts, open, Math.max(open, price), Math.min(open, price, low), price, 1])
  }
}
async function look(prices?: Partial<Prices>, low?: number): Promise<void> {
  forming(prices, low)
  await room.runtime.between()
}
async function closes(count = 1): Promise<void> {
  for (let i = 0; i < count; i++) {
    market.nowMs += HOUR
    await room.runtime.catchUp()
    await look()
  }
}
const started = (draft: Partial<BotDraft> = {}) =>
  room.started({
    tradingPairs: [...PAIRS],
    positionSize: 2,
    initialBalance: 1000,
    maxDrawdown: 90,
    parameters: { policy: 'fixed_share' },
    ...draft,
  })
const rebalance = (id: string, key?: string) =>
  room.control.rebalance(id, undefined, { member: room.owner, request: keyedRequest(key, { id }) })
const preview = (id: string) => room.rebalancing.preview(id, room.owner)
const held = async (id: string) =>
  (await room.reads.balance(id, room.owner)).positions.map(({ symbol, quantity }) => [symbol, quantity])
const list = async (id: string) => room.rebalances(id, 100, room.owner)
const auditsOf = (id: string) =>
  bench.db.orm
    .select()
    .from(audit)
    .where(and(eq(audit.subjectId, id), eq(audit.action, 'bot.rebalanced')))
/** Half of 1,000 in two coins at 100, and BTC stands at 110 since. */
async function grown(draft: Partial<BotDraft> = {}): Promise<string> {
  const id = await started(draft)
  await closes()
  forming({ BTCUSDT: 110 })
  return id
}

describe('a bot that is rebalanced by hand', () => {
  it('says before its first decision when that is made, and not that candles are missing', async () => {
    const { obstacle, left, orders } = await preview(await started())
    expect(obstacle).toMatch(/^It has not decided yet, so its coins have no targets. It decides at \d\d:00 UTC\.$/)
    expect([left, orders]).toEqual([[], []])
  })

  it('does what the preview lists, at what it says that costs: sold first, and then bought', async () => {
    const id = await grown()
    expect(await held(id)).toEqual([
      ['BTCUSDT', 2.5],
      ['ETHUSDT', 2.499],
    ])
    const { orders, fees, slippage, left, obstacle } = await preview(id)
    // Equity 1024.45: a quarter is 2.3283 BTC at 110, and after the costs of the sale 2.56107 ETH at 100.
    expect(orders.map(({ symbol, side, quantity }) => [symbol, side, Number(quantity.toFixed(9))])).toEqual([
      ['BTCUSDT', 'sell', 0.171],
      ['ETHUSDT', 'buy', 0.062],
    ])
    expect(orders[0]!.price).toBeCloseTo(109.945, 9)
    expect(fees).toBeCloseTo(0.0006 * (0.171 * 109.945 + 0.062 * 100.05), 9)
    expect(slippage).toBeCloseTo(0.171 * 0.055 + 0.062 * 0.05, 9)
    expect([left, obstacle]).toEqual([[], null])
    await rebalance(id)
    expect((await preview(id)).obstacle).toBe('It is being rebalanced already.')
    await look({ BTCUSDT: 110 })
    expect(await held(id)).toEqual([
      ['BTCUSDT', 2.329],
      ['ETHUSDT', 2.561],
    ])
    expect((await room.reads.trades(id, { limit: 9 }, room.owner)).map(({ exitReason }) => exitReason)).toEqual([
      'rebalanced_by_hand',
    ])
    const { total, rebalances, costs } = await list(id)
    expect([total, rebalances.map(({ cause, orders: made }) => [cause, made.length])]).toEqual([
      2,
      [
        ['by_hand', 2],
        ['daily', 2],
      ],
    ])
    const [done, daily] = rebalances
    for (const [k, order] of done!.orders.entries())
      for (const name of ['quantity', 'price', 'value', 'fee', 'slippage'] as const)
        expect(order[name]).toBeCloseTo(orders[k]![name], 7)
    expect(done!.turnoverPct).toBeCloseTo((100 * (0.171 * 109.945 + 0.062 * 100.05)) / 1000, 6)
    expect(daily!.turnoverPct).toBeCloseTo((100 * (2.5 + 2.499) * 100.05) / 1000, 6)
    expect(costs).toBeCloseTo(fees + slippage + daily!.costs, 7)
    const lines = rebalancesFile(id, rebalances).content.trimEnd().split('\r\n')
    expect(lines[0]).toBe('time,why,side,pair,quantity,price,value_usdt,fee_usdt,slippage_usdt')
    expect(lines.slice(1).map((line) => line.split(',').slice(1, 5).join(' '))).toEqual([
      'by_hand sell BTCUSDT 0.171',
      'by_hand buy ETHUSDT 0.062',
      'daily buy BTCUSDT 2.5',
      'daily buy ETHUSDT 2.499',
    ])
    expect(await room.service.show(id, room.owner)).toMatchObject({ status: 'active', statusReason: null })
  })

  it('is rebalanced at the last price where no candle is seen to form', async () => {
    await on(WALKS)
    const id = await started({ initialBalance: 100_000 })
    await closes(20)
    market.formingRows.clear()
    const { orders } = await preview(id)
    expect(orders.length).toBeGreaterThan(0)
    await rebalance(id)
    await room.runtime.between()
    const [done] = (await list(id)).rebalances
    expect(done!.cause).toBe('by_hand')
    expect(done!.orders.map(({ symbol, side, quantity }) => [symbol, side, quantity])).toEqual(
      orders.map(({ symbol, side, quantity }) => [symbol, side, quantity]),
    )
  })

  it('is rebalanced once, however often and by however many it is told, and then has nothing to do', async () => {
    const id = await grown()
    await Promise.all([rebalance(id, 'one'), rebalance(id, 'one'), rebalance(id), rebalance(id, 'two')])
    await Promise.all([look({ BTCUSDT: 110 }), room.runtime.between(), rebalance(id, 'one')])
    await look({ BTCUSDT: 110 })
    expect(await auditsOf(id)).toHaveLength(1)
    expect((await list(id)).orders).toBe(4)
    await expect(rebalance(id)).rejects.toThrow('There is nothing to do')
    expect(await preview(id)).toMatchObject({ orders: [], left: [{ symbol: 'BTCUSDT' }, { symbol: 'ETHUSDT' }] })
    // A lost answer that is asked for again, when the market has moved on.
    await look({ BTCUSDT: 130 })
    await rebalance(id, 'one')
    await look({ BTCUSDT: 130 })
    expect((await list(id)).orders).toBe(4)
  })

  it('goes to the target of the decision that comes before its turn, and trades once', async () => {
    const id = await grown()
    await rebalance(id)
    market.nowMs = Date.UTC(2024, 0, 5) + 60_000
    await room.runtime.catchUp()
    await look()
    await look()
    // At 100 again, BTC 2.5 and ETH 2.499 of 999.57 are within a step of a quarter.
    expect((await list(id)).rebalances[0]).toMatchObject({
      cause: 'by_hand',
      orders: [],
      left: [{ symbol: 'BTCUSDT' }, { symbol: 'ETHUSDT' }],
    })
  })

  it.each(['pause', 'stop', 'sell', 'close'] as const)(
    'trades nothing where its turn comes after a %s',
    async (act) => {
      const id = await grown()
      await rebalance(id)
      if (act === 'pause') await room.control.pause(id, room.owner)
      if (act === 'stop') await room.control.stop(id, room.owner, undefined, 'keep')
      if (act === 'sell') await room.control.stop(id, room.owner)
      if (act === 'close')
        for (const symbol of PAIRS)
          await room.control.closePosition(id, { symbol }, { member: room.owner, request: null })
      await look({ BTCUSDT: 110 })
      await look({ BTCUSDT: 110 })
      const sold = act === 'sell' || act === 'close'
      expect(await held(id)).toEqual(
        sold
          ? []
          : [
              ['BTCUSDT', 2.5],
              ['ETHUSDT', 2.499],
            ],
      )
      expect((await list(id)).orders).toBe(2)
      if (act === 'pause' || act === 'stop') await room.control.start(id, room.owner)
      await look({ BTCUSDT: 110 })
      expect((await list(id)).orders).toBe(2)
    },
  )

  it('says why it is not: paused, closing by hand, halted, or about to do what it has decided', async () => {
    const id = await grown()
    const refused = () => rebalance(id).catch((error: Error) => error.message)
    await room.control.closePosition(id, { symbol: 'BTCUSDT' }, { member: room.owner, request: null })
    expect(await refused()).toContain('It is closing a position')
    await look()
    await room.control.pause(id, room.owner)
    expect(await refused()).toContain('It is paused')
    await room.control.start(id, room.owner)
    market.nowMs = Date.UTC(2024, 0, 5) + 60_000
    await room.runtime.catchUp()
    expect(await refused()).toContain('What it decided at the last close is being carried out')
    await bench.db.pool.query(
      `update trading.bot_states set portfolio = jsonb_set(portfolio::jsonb, '{haltedAt}', '5')::json where bot_id = $1`,
      [id],
    )
    expect(await refused()).toContain('A limit on losses was reached')
    const signal = await room.started({ mlModelVersion: 'v3' })
    await expect(preview(signal)).rejects.toThrow('Only a bot whose policy holds a share')
  })

  it('keeps what it bought above a stop-loss that the candle had passed before, and sells it at the next price below', async () => {
    const id = await started({ stopLossPct: 20 })
    await closes()
    // ETH has been at 85 and is bought at 90: its stop-loss comes to stand near 80.
    forming({ BTCUSDT: 110, ETHUSDT: 90 }, 85)
    await rebalance(id)
    await look({ BTCUSDT: 110, ETHUSDT: 90 }, 85)
    await look({ BTCUSDT: 110, ETHUSDT: 90 }, 70)
    expect(await held(id)).toHaveLength(2)
    await look({ BTCUSDT: 110, ETHUSDT: 79 }, 70)
    expect((await held(id)).map(([symbol]) => symbol)).toEqual(['BTCUSDT'])
  })
})

describe('live against backtest', () => {
  type Act = 'rebalance' | 'rebalance unseen' | 'close' | 'look'
  const hoursOf = (...acts: Act[][]) => acts.map((each) => ({ acts: each, at: [0.97, 0.97] }))
  /** Stopped out, bought back by hand, and in the second stopped out again, within the candle that follows the daily decision. */
  const stopped = [
    hoursOf([], ['close'], [], [], [], ['rebalance', 'rebalance'], [], []),
    hoursOf([], [], [], [], ['close'], ['rebalance', 'rebalance unseen'], [], []),
  ]

  it('says what rebalancing by hand made, and finds nothing else', async () => {
    const id = await grown()
    await rebalance(id)
    await look({ BTCUSDT: 110 })
    await closes(2)
    const { costs, livePnL, backtestPnL, differences } = await room.parityOf(id)
    expect(costs).toEqual([{ cause: 'rebalanced_by_hand', trades: 1, pnl: expect.closeTo(livePnL - backtestPnL, 9) }])
    expect(backtestPnL).toBe(0)
    expect(differences[0]!.note).toBe('A person rebalanced it; the backtest goes by its rules.')
  })

  it('replays a bot to the last fill whenever a person rebalances or closes, and its ledger is its account', async () => {
    const hour = fc.record({
      acts: fc.array(fc.constantFrom<Act[]>('rebalance', 'rebalance unseen', 'close', 'look'), { maxLength: 3 }),
      at: fc.array(fc.double({ min: 0.97, max: 1.03, noNaN: true }), { minLength: 2, maxLength: 2 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(hour, { minLength: 8, maxLength: 9 }),
        fc.constantFrom<Partial<BotDraft>>({}, { stopLossPct: 2 }),
        async (hours, draft) => {
          await on(WALKS)
          const id = await started(draft)
          const within = async (at: readonly number[]) => {
            const prices = PAIRS.map((symbol, k) => {
              const { open, high, low } = nowOf(symbol)
              return [symbol, Math.min(high, Math.max(low, open * at[k]!))] as const
            })
            await look(Object.fromEntries(prices))
          }
          for (const { acts, at } of hours) {
            await closes()
            for (const act of acts) {
              if (act.startsWith('rebalance')) await rebalance(id).catch(() => undefined)
              if (act === 'rebalance unseen') {
                market.formingRows.clear()
                await room.runtime.between()
              }
              if (act === 'close')
                await room.control
                  .closePosition(id, { symbol: 'BTCUSDT' }, { member: room.owner, request: null })
                  .catch(() => undefined)
              await within(at)
            }
          }
          await closes()
          expect(await room.service.show(id, room.owner)).toMatchObject({ status: 'active', statusReason: null })
          const { costs, livePnL, backtestPnL } = await room.parityOf(id)
          const allowed = [
            'closed_by_hand',
            'rebalanced_by_hand',
            ...(draft.stopLossPct ? ['price_between_candles'] : []),
          ]
          for (const { cause } of costs) expect(allowed).toContain(cause)
          expect(costs.reduce((sum, { pnl }) => sum + pnl, 0)).toBeCloseTo(livePnL - backtestPnL, 8)
        },
      ),
      { numRuns: 5, examples: stopped.map((hours): [typeof hours, Partial<BotDraft>] => [hours, { stopLossPct: 2 }]) },
    )
  })
})
