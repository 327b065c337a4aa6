import type { Signal } from '@shapecast/contracts/ml'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import type { Viewer } from '../src/ground/ownership.ts'
import { createEventHub } from '../src/market/feed/event-hub.ts'
import { type Listener, listenToMessages } from '../src/market/feed/listener.ts'
import { sendMessages } from '../src/market/feed/live-messages.ts'
import { createBotsBench, invented, type ScriptedMarket, scriptedMarket } from './support/bots-bench.ts'
import { createRealBotsBench } from './support/real-bots-bench.ts'
import { createServiceBench } from './support/service-bench.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
const END_OF_ROUND = '01890000-0000-7000-8000-00000000000e'
let listener: Listener | undefined
afterEach(() => listener?.stop())

/** A stream of what happens to bots; `since` answers the ids of the bots that it told of since it was last asked. */
async function followBots(db: Database, venue: string, viewer: Viewer) {
  const hub = createEventHub({ venue, now: Date.now })
  listener = await listenToMessages({ url: db.url, log: silentLogger(), onMessages: hub.publish, onGap: hub.reset })
  const events: string[] = []
  let rounds = 0
  const send = ({ event }: { event: { event: string; data: object } }) => {
    if (event.event === 'task') rounds++
    else events.push((event.data as { id: string }).id)
  }
  hub.subscribe({ topics: [{ kind: 'bots' }, { kind: 'tasks' }], viewer, lastId: null, send })
  let asked = 0
  return async function since(): Promise<string[]> {
    // Notifications come in the order of the commits: after this one there is none of before.
    await sendMessages(db.pool, [{ t: 'task', id: END_OF_ROUND }])
    asked++
    await eventually(() => expect(rounds).toBe(asked))
    return events.splice(0)
  }
}

async function virtualBots(count: number) {
  const service = await createServiceBench()
  onTestFinished(() => service.close())
  const market = scriptedMarket(
    new Map([['BTCUSDT', generateCandles({ candles: 200, seed: 3, startMs: START, clusters: 0.3 })]]),
  )
  market.nowMs = START + 100 * HOUR + 60_000
  const signals = new Map<string, Signal>()
  const forecast = (version: string, symbol: string, ts: number) => {
    const said = invented(version, symbol, ts)
    return { ...said, forecast: { ...said.forecast, signal: signals.get(version) ?? 'HOLD', edgeBps: 50 } }
  }
  const room = createBotsBench(service.db, market, { forecast })
  const ids: string[] = []
  for (let i = 0; i < count; i++)
    ids.push(
      await room.started({
        mlModelVersion: i % 2 === 0 ? 'even' : 'odd',
        marketType: 'futures',
        leverage: 5,
        positionSize: 0.02,
        initialBalance: 1000,
      }),
    )
  const close = async () => {
    market.nowMs += HOUR
    await room.runtime.catchUp()
  }
  const side = async (id: string) => (await room.reads.balance(id, room.owner)).positions[0]?.side ?? null
  return { db: service.db, market, signals, room, ids, close, side }
}

/** The next candle has opened at the last price, and the worker looks. */
async function opens(market: ScriptedMarket, watch: () => Promise<void>): Promise<void> {
  const last = await market.price('BTCUSDT')
  market.formingRows.set('BTCUSDT', [market.nowMs - 60_000, last, last, last, last, 1])
  await watch()
}

it('the stream has one event for every bot that opens, reverses or closes a position, and none for others', async () => {
  const { db, market, signals, room, ids, close, side } = await virtualBots(40)
  const since = await followBots(db, 'replay', room.owner)
  const even = ids.filter((_, i) => i % 2 === 0)
  await close()
  expect(await since()).toEqual([])
  signals.set('even', 'BUY')
  await close()
  await opens(market, room.runtime.between)
  expect((await since()).sort()).toEqual(even)
  expect(await side(even[0]!)).toBe('long')
  // Held over a close.
  await close()
  expect(await since()).toEqual([])
  signals.set('even', 'SELL')
  await close()
  await opens(market, room.runtime.between)
  expect((await since()).sort()).toEqual(even)
  expect(await side(even[0]!)).toBe('short')
  expect((await room.reads.trades(even[0]!, { limit: 9 }, room.owner)).length).toBe(1)
})

it('the stream tells other users about trades of public bots only, and nobody about temporary bots', async () => {
  const { db, signals, room, ids, close } = await virtualBots(3)
  await db.pool.query("update trading.bots set visibility = 'public' where id = $1", [ids[0]])
  await db.pool.query('update trading.bots set temporary = true where id = $1', [ids[1]])
  const since = await followBots(db, 'replay', { userId: '01890000-0000-7000-8000-0000000000bb', role: 'user' })
  signals.set('even', 'BUY').set('odd', 'BUY')
  await close()
  await close()
  expect(await since()).toEqual([ids[0]])
  await listener!.stop()
  const own = await followBots(db, 'replay', room.owner)
  signals.set('even', 'SELL').set('odd', 'SELL')
  await close()
  await close()
  expect((await own()).sort()).toEqual([ids[0], ids[2]])
})

it('the stream tells when a real order is sent, filled and applied, and nothing while nothing changes', async () => {
  const bench = await createRealBotsBench()
  onTestFinished(() => bench.end())
  await bench.fresh()
  const id = await bench.started({ stopLossPct: 5 })
  const since = await followBots(bench.db, 'binance', bench.owner)
  bench.setPrice(50_000)
  await bench.says('BUY', 50_000)
  // The order is sent and filled, its stop is sent and stands.
  expect(await since()).toEqual([id, id, id, id])
  await bench.settle()
  // Applied.
  expect(await since()).toEqual([id])
  expect((await bench.balance(id)).positions[0]).toMatchObject({ symbol: 'BTCUSDT', side: 'long' })
  for (let k = 0; k < 3; k++) await bench.settle()
  expect(await since()).toEqual([])
})

it('the stream tells when a real position is found to have ended without a trade of its bot', async () => {
  const bench = await createRealBotsBench()
  onTestFinished(() => bench.end())
  await bench.fresh()
  const [spot, future] = [await bench.started(), await bench.started({ marketType: 'futures', leverage: 10 })]
  const { futures } = bench.exchange
  const minuteLater = async () => {
    bench.clock.aheadMs += 61_000
    await bench.tick()
  }
  await bench.says('BUY', 20_000)
  bench.script.signal = 'HOLD'
  await bench.settle()
  const since = await followBots(bench.db, 'binance', bench.owner)
  const held = async (id: string) => (await bench.balance(id)).positions.length
  await minuteLater()
  expect(await since()).toEqual([])
  // Funding.
  futures.fund('BTCUSDT', 0.001)
  bench.exchange.clock.advance(3_600_000)
  bench.setPrice(20_000)
  await minuteLater()
  expect(await since()).toEqual([future])
  // A liquidation.
  bench.setPrice(17_000)
  await minuteLater()
  expect([await held(future), [...new Set(await since())]]).toEqual([0, [future]])
  // Too little to be sold, 0.00999 × 400: it is held all the same, and its drawdown limit was reached.
  bench.setPrice(400)
  await bench.tick()
  expect([await held(spot), await since()]).toEqual([1, [spot]])
})

it('the stream tells when a real position was closed by hand at the exchange', async () => {
  const bench = await createRealBotsBench()
  onTestFinished(() => bench.end())
  await bench.fresh()
  const future = await bench.started({ marketType: 'futures', leverage: 10 })
  await bench.says('BUY', 20_000)
  bench.script.signal = 'HOLD'
  await bench.settle()
  const since = await followBots(bench.db, 'binance', bench.owner)
  bench.exchange.futures.position('BTCUSDT').amount = 0
  bench.clock.aheadMs += 61_000
  await bench.tick()
  expect(await since()).toEqual([future])
  expect((await bench.bot(future)).statusReason).toContain('no position')
})
