import type { BotDraft } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { type Candles, candlesFromRows, indexAtOrAfter } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { keyedRequest } from '@shapecast/platform/http/keyed-request'
import { audit } from '@shapecast/platform/tables'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type BotsBench,
  createBotsBench,
  invented,
  type ScriptedMarket,
  scriptedMarket,
} from '../../test/support/bots-bench.ts'
import { createServiceBench, type ServiceBench } from '../../test/support/service-bench.ts'
import type { Said } from '../deciders/decider.ts'
import { CLOSED_BY_HAND } from './decision-words.ts'

const HOUR = TIMEFRAME_MS['1h']
const START = Date.UTC(2024, 0, 1)
const WALK = generateCandles({ candles: 400, seed: 5, startMs: START, clusters: 0.3 })
/** 100 throughout, so that every fill can be worked out by hand. */
const FLAT = candlesFromRows(Array.from({ length: 400 }, (_, k) => [START + k * HOUR, 100, 100, 100, 100, 1]))

let bench: ServiceBench
let market: ScriptedMarket
let room: BotsBench
/** What the model says; by its own dice where null. */
let says: Said['forecast']['signal'] | null

beforeAll(async () => {
  bench = await createServiceBench()
})
afterAll(() => bench.close())

function on(candles: Candles): void {
  market = scriptedMarket(new Map([['BTCUSDT', candles]]))
  market.nowMs = START + 100 * HOUR + 60_000
  says = null
  room = createBotsBench(bench.db, market, {
    forecast(version, symbol, ts) {
      const said = invented(version, symbol, ts)
      return says === null ? said : { ...said, forecast: { ...said.forecast, signal: says } }
    },
  })
}
beforeEach(async () => {
  await bench.db.pool.query('delete from trading.bots')
  on(FLAT)
})

const spot: Partial<BotDraft> = { mlModelVersion: 'v3', positionSize: 2, initialBalance: 1000, maxDrawdown: 50 }
const closes = async (count = 1) => {
  for (let i = 0; i < count; i++) {
    market.nowMs += HOUR
    await room.runtime.catchUp()
    await look()
  }
}
/** A look between closes, while the candle forms at `price`. */
async function look(price = lastPrice()): Promise<void> {
  const openMs = Math.floor(market.nowMs / HOUR) * HOUR
  const open = openAt(openMs)
  market.formingRows.set('BTCUSDT', [openMs, open, Math.max(open, price), Math.min(open, price), price, 1])
  await room.runtime.between()
  market.formingRows.clear()
}
let candles: Candles
const openAt = (ms: number): number => candles.open[indexAtOrAfter(candles, ms)]!
const lastPrice = (): number => openAt(Math.floor(market.nowMs / HOUR) * HOUR)
beforeEach(() => {
  candles = FLAT
})

const close = (id: string, key: string | null = null) =>
  room.control.closePosition(
    id,
    { symbol: 'BTCUSDT' },
    { member: room.owner, request: keyedRequest(key ?? undefined, { id }) },
  )
const held = async (id: string) => (await room.reads.balance(id, room.owner)).positions
const tradesOf = async (id: string) => (await room.reads.trades(id, { limit: 1000 }, room.owner)).toReversed()
const newest = async (id: string) =>
  (await room.reads.decisions(id, { limit: 1, show: 'all' }, room.owner)).decisions[0]!
const auditsOf = async (id: string) =>
  (await bench.db.orm.select().from(audit).where(eq(audit.subjectId, id))).filter(
    ({ action }) => action === 'bot.position_closed',
  )

/** A bot on spot that has bought 2 BTC at 100 × 1.0005. */
async function longBot(draft: Partial<BotDraft> = {}): Promise<string> {
  const id = await room.started({ ...spot, ...draft })
  says = 'BUY'
  await closes()
  return id
}

describe('a position that is closed by hand', () => {
  it('is sold at the price of the moment, and its bot goes on and buys again at its next decision', async () => {
    const id = await longBot()
    expect(await held(id)).toMatchObject([{ quantity: 2, closing: false }])
    const bot = await close(id)
    expect([bot.status, bot.positions[0]!.closing, (await held(id))[0]!.closing]).toEqual(['active', true, true])
    await look(110)
    expect(await held(id)).toEqual([])
    // Bought at 100.05 and sold at 109.945: 19.79, less 6 bps of 200.10 and of 219.89.
    const [trade] = await tradesOf(id)
    expect(trade).toMatchObject({ exitReason: 'closed_by_hand', quantity: 2 })
    expect(trade!.exitPrice).toBeCloseTo(109.945, 9)
    expect(trade!.netPnL).toBeCloseTo(19.79 - 0.12006 - 0.131934, 9)
    expect((await room.reads.balance(id, room.owner)).balance).toBeCloseTo(1019.538006, 8)
    await closes()
    expect(await held(id)).toMatchObject([{ quantity: 2 }])
    expect((await room.service.show(id, room.owner)).status).toBe('active')
  })

  it('is closed once, however often and by however many it is told', async () => {
    const id = await longBot()
    await Promise.all([close(id, 'one'), close(id, 'one'), close(id), close(id, 'two')])
    await Promise.all([room.runtime.between(), look(101), close(id, 'one')])
    await look(101)
    expect(await tradesOf(id)).toHaveLength(1)
    expect(await auditsOf(id)).toHaveLength(1)
    await expect(close(id)).rejects.toThrow('holds no BTCUSDT by now')
  })

  it('is never a later one, when a lost answer is asked for again', async () => {
    const id = await longBot()
    await close(id, 'lost')
    await look()
    await closes()
    expect(await held(id)).toHaveLength(1)
    await close(id, 'lost')
    await look()
    expect(await held(id)).toMatchObject([{ closing: false }])
    expect(await tradesOf(id)).toHaveLength(1)
  })

  it('takes back what was decided at the close before it, told before the decision or after it', async () => {
    for (const first of ['press', 'decision'] as const) {
      const id = await longBot({ marketType: 'futures', leverage: 2 })
      says = 'SELL'
      if (first === 'press') await close(id)
      market.nowMs += HOUR
      await room.runtime.catchUp()
      if (first === 'decision') await close(id)
      await look(101)
      // The signal would have turned it round at 100.
      expect(await held(id)).toEqual([])
      expect((await tradesOf(id)).map(({ exitReason }) => exitReason)).toEqual(['closed_by_hand'])
      expect(await newest(id)).toMatchObject({ action: 'no_order', reason: expect.stringContaining(CLOSED_BY_HAND) })
      await closes()
      expect(await held(id)).toMatchObject([{ side: 'short' }])
      await bench.db.pool.query('delete from trading.bots')
    }
  })

  it('is left alone where a stop has sold it first, and the next one with it', async () => {
    const id = await longBot({ stopLossPct: 5 })
    await look(94)
    await expect(close(id)).rejects.toThrow('holds no BTCUSDT by now')
    expect((await tradesOf(id)).map(({ exitReason }) => exitReason)).toEqual(['stop_loss'])
  })

  it('is sold when a stopped bot kept it, and the bot stays stopped', async () => {
    const id = await longBot()
    await room.control.stop(id, room.owner, undefined, 'keep')
    await close(id)
    await look(90)
    expect(await held(id)).toEqual([])
    expect((await tradesOf(id)).map(({ exitReason }) => exitReason)).toEqual(['closed_by_hand'])
    expect(await room.service.show(id, room.owner)).toMatchObject({ status: 'stopped', statusReason: null })
  })

  it('stays where its bot is stopped and told to keep it before the next price', async () => {
    const id = await longBot()
    await close(id)
    await room.control.stop(id, room.owner, undefined, 'keep')
    await look(90)
    expect(await held(id)).toMatchObject([{ quantity: 2, closing: false }])
  })

  it('is bought again by a policy at the first close of the next day, not before', async () => {
    const id = await room.started({
      ...spot,
      mlModelVersion: undefined,
      maxDrawdown: 90,
      parameters: { policy: 'fixed_share' },
    })
    // 5 Jan, 04:00: it decides at the first close, and then daily.
    await closes()
    expect(await held(id)).toHaveLength(1)
    await close(id)
    await look()
    while (market.nowMs < Date.UTC(2024, 0, 6)) {
      expect(await held(id)).toEqual([])
      await closes()
    }
    expect(await held(id)).toHaveLength(1)
  })
})

describe('live against backtest', () => {
  it('says what closing by hand made, and finds nothing else', async () => {
    const id = await longBot()
    await close(id)
    await look(110)
    says = 'SELL'
    await closes(2)
    const parity = await room.parityOf(id)
    // The rules would have sold at 99.95, one candle later.
    const byRule = 2 * (99.95 - 100.05) - 0.12006 - 0.11994
    const byHand = 19.79 - 0.12006 - 0.131934
    expect(parity.costs).toEqual([{ cause: 'closed_by_hand', trades: 1, pnl: expect.closeTo(byHand - byRule, 8) }])
    expect(parity.differences).toMatchObject([
      {
        live: { exitReason: 'closed_by_hand' },
        backtest: { exitReason: 'signal' },
        note: expect.stringContaining('A person closed it'),
      },
    ])
  })

  it('replays a bot to the last fill whenever a person closes what it holds, and its ledger is its account', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            presses: fc.constantFrom('never', 'before', 'after', 'within'),
            at: fc.double({ min: 0.99, max: 1.01, noNaN: true }),
          }),
          {
            minLength: 20,
            maxLength: 30,
          },
        ),
        fc.constantFrom<Partial<BotDraft>>(
          spot,
          { ...spot, marketType: 'futures', leverage: 3, positionSize: 0.02 },
          { ...spot, marketType: 'futures', leverage: 3, positionSize: 0.02, stopLossPct: 3, takeProfitPct: 4 },
        ),
        async (hours, draft) => {
          on(WALK)
          candles = WALK
          await bench.db.pool.query('delete from trading.bots')
          const id = await room.started({ ...draft, positionSize: 0.001 })
          const press = () => close(id).catch(() => undefined)
          for (const { presses, at } of hours) {
            if (presses === 'before') await press()
            market.nowMs += HOUR
            await room.runtime.catchUp()
            if (presses === 'after') await press()
            await look()
            if (presses === 'within') await press()
            // Within what the candle will have reached.
            const i = indexAtOrAfter(WALK, Math.floor(market.nowMs / HOUR) * HOUR)
            await look(Math.min(WALK.high[i]!, Math.max(WALK.low[i]!, lastPrice() * at)))
          }
          await closes()
          const bot = await room.service.show(id, room.owner)
          // Where its ledger were another sum than its account it would have ended in an error.
          expect([bot.status, bot.statusReason]).toEqual(['active', null])
          const parity = await room.parityOf(id)
          expect(new Set(parity.costs.map(({ cause }) => cause))).toEqual(
            new Set(parity.costs.length > 0 ? ['closed_by_hand'] : []),
          )
          const cost = parity.costs.reduce((sum, { pnl }) => sum + pnl, 0)
          expect(cost).toBeCloseTo(parity.livePnL - parity.backtestPnL, 8)
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 2) },
    )
  })
})
