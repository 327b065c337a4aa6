import { randomUUID } from 'node:crypto'
import type { AlertRule } from '@shapecast/contracts/alerts'
import type { Role } from '@shapecast/contracts/auth'
import { sliceCandles } from '@shapecast/engine/candles'
import { HOUR, hourly } from '@shapecast/engine/testing/small-runs'
import { silentLogger } from '@shapecast/platform/logging'
import { deliveries, notificationSettings, notifications, receivers } from '@shapecast/platform/tables'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createServiceBench } from '../../test/support/service-bench.ts'
import type { WatchedBot } from './alert-kinds.ts'
import { createAlertService, RESTORED_FOR_MS } from './alert-service.ts'
import { alerts } from './tables.ts'
import { forgetAlerts, seriesOfAlerts, type WatchDeps, watchAlerts } from './watch-alerts.ts'

const bench = await createServiceBench()
afterAll(() => bench.close())
const { db } = bench
const [ann, ben, root] = [randomUUID(), randomUUID(), randomUUID()]
const member = (userId: string, role: Role = 'user') => ({ userId, role, address: '10.0.0.1' })
const BOT = randomUUID()

let clockMs = 1_000_000 * HOUR
let price = 100
let says: string | null = null
let bot: WatchedBot
/** Closes 1, 2, 3, … of hours, of which the first `closed` have closed. */
const closes = hourly(...[1, 2, 3, 4, 3, 2, 5, 6].map((x) => [x, x, x, x] as const))
let closed = 0
const service = createAlertService({
  db,
  venue: 'test',
  requireSymbol: async (symbol) => {
    if (symbol !== 'BTCUSDT') throw new Error(`no ${symbol}`)
  },
  findBot: async (id) => (id === BOT ? { userId: ann, name: 'Tern' } : undefined),
  now: () => clockMs,
})
const watching: WatchDeps = {
  db,
  venue: 'test',
  candles: { load: async (_s, _t, { limit }) => sliceCandles(closes, Math.max(0, closed - (limit ?? closed)), closed) },
  price: async () => price,
  signal: async () => says,
  watchedBot: async (id) => (id === BOT ? bot : null),
  marketNow: async () => clockMs,
  log: silentLogger(),
  now: () => clockMs,
}
const watch = () => watchAlerts(watching)
const make = (rule: AlertRule, restMinutes = 60, note = '') => service.create(member(ann), { rule, note, restMinutes })
const rung = async (userId = ann) => {
  const rows = await db.orm
    .select()
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(notifications.id)
  return rows.map(({ title, text }) => [title, text])
}
/** How often it has rung after each value. */
async function counts<T>(values: readonly T[], set: (value: T) => void): Promise<number[]> {
  const found: number[] = []
  for (const value of values) {
    set(value)
    await watch()
    found.push((await rung()).length)
  }
  return found
}

beforeEach(async () => {
  for (const table of [alerts, notifications, deliveries, receivers, notificationSettings]) await db.orm.delete(table)
  closed = 1
  bot = { userId: ann, name: 'Tern', isActive: true, equity: 100, peak: 100, timeframe: '1h', decidedTs: clockMs }
})

const ABOVE_100: AlertRule = { kind: 'price', symbol: 'BTCUSDT', direction: 'above', price: 100 }

describe('an alert on a price', () => {
  it('rings when the price passes, with the words and the note, and not while it lies beyond', async () => {
    await make(ABOVE_100, 5, 'Sell some.')
    const rings = await counts([99, 100.5, 101], (value) => {
      price = value
    })
    expect(rings).toEqual([0, 1, 1])
    expect(await rung()).toEqual([['BTCUSDT above 100.00', 'The price is 100.50. Sell some.']])
  })

  it('rests for its minutes before it rings again', async () => {
    await make(ABOVE_100, 60)
    const set = (value: number) => {
      price = value
    }
    expect(await counts([99, 101, 99, 101], set)).toEqual([0, 1, 1, 1])
    clockMs += 60 * 60_000
    expect(await counts([99, 101], set)).toEqual([1, 2])
    expect(await service.list(member(ann))).toMatchObject([{ timesRung: 2, rangAt: clockMs }])
  })

  it('is written down once however many workers look, and sent with one id until a channel has taken it', async () => {
    const choices = { alert: { app: true, telegram: false, email: false, push: false, webhook: true } }
    await db.orm.insert(notificationSettings).values({ userId: ann, choices })
    await db.orm.insert(receivers).values({ userId: ann, channel: 'webhook', url: 'https://x.example.org', isOn: true })
    await make(ABOVE_100)
    price = 99
    await watch()
    price = 101
    await Promise.all([watch(), watch(), watch()])
    expect(await rung()).toHaveLength(1)
    expect(await db.orm.select().from(deliveries)).toMatchObject([{ kind: 'alert', state: 'waiting' }])
  })

  it('begins again when it is changed or switched on, and is silent while it is off or deleted', async () => {
    const { id } = await make(ABOVE_100)
    const set = (value: number) => {
      price = value
    }
    await counts([99], set)
    await service.change(member(ann), id, { isOn: false })
    expect(await counts([101, 99], set)).toEqual([0, 0])
    price = 101
    await service.change(member(ann), id, { isOn: true })
    expect(await counts([101, 102], set)).toEqual([0, 0])
    await counts([99], set)
    await service.delete(member(ann), id)
    expect(await counts([101], set)).toEqual([0])
    await service.restore(member(ann), id)
    expect(await counts([99, 101], set)).toEqual([0, 1])
  })

  it('keeps no other from ringing when it cannot be measured', async () => {
    await make({ kind: 'indicator', symbol: 'BTCUSDT', timeframe: '1h', condition: 'close > 1' })
    await make(ABOVE_100)
    price = 99
    await watch()
    const broken = { ...watching, candles: { load: () => Promise.reject(new Error('away')) } }
    price = 101
    await watchAlerts(broken)
    expect(await rung()).toHaveLength(1)
  })
})

describe('an alert at closes', () => {
  const step = (value: number) => {
    closed = value
  }

  it('rings when its condition becomes true, once a close', async () => {
    await make({ kind: 'indicator', symbol: 'BTCUSDT', timeframe: '1h', condition: 'close >= 4' }, 5)
    // Closes 1, 2, 3, 4, 3, 2, 5, 6: true from the fourth, and again from the seventh.
    const rings = await counts([1, 2, 3, 4, 4, 5, 6], step)
    expect(rings).toEqual([0, 0, 0, 1, 1, 1, 1])
    clockMs += HOUR
    expect(await counts([7, 8], step)).toEqual([2, 2])
    expect((await rung())[0]![0]).toBe('close >= 4 on BTCUSDT 1h')
  })

  it('rings when the model says so for the first time', async () => {
    await make({ kind: 'signal', symbol: 'BTCUSDT', timeframe: '1h', signal: 'BUY' })
    const said = ['HOLD', 'BUY', 'BUY'] as const
    expect(
      await counts([0, 1, 2], (i) => {
        says = said[i]!
        closed = i + 1
      }),
    ).toEqual([0, 1, 1])
  })

  it('is refused with the words of the rule language where it cannot be read, or is about a model', async () => {
    const rule = (condition: string) => make({ kind: 'indicator', symbol: 'BTCUSDT', timeframe: '1h', condition })
    await expect(rule('rsy(14) > 70')).rejects.toMatchObject({ code: 'bad_input', field: 'rule.condition' })
    await expect(rule('p_up > 60%')).rejects.toThrow('must be about candles')
    await expect(rule('close > 1 exit: close < 1')).rejects.toMatchObject({ code: 'bad_input' })
  })
})

describe('an alert on a bot or the feed', () => {
  it('rings when the drawdown reaches its percentage', async () => {
    await make({ kind: 'drawdown', botId: BOT, pct: 10 })
    const rings = await counts([95, 90, 85], (equity) => {
      bot = { ...bot, equity }
    })
    expect(rings).toEqual([0, 1, 1])
    expect(await rung()).toEqual([['Tern at a drawdown of 10%', 'Its equity is 10.00% below its highest.']])
  })

  it('rings when an active bot has not decided for its minutes past the close that it waits for', async () => {
    await make({ kind: 'bot_silent', botId: BOT, minutes: 10 })
    const past = (minutes: number) => {
      bot = { ...bot, decidedTs: clockMs - 2 * HOUR - minutes * 60_000 }
    }
    expect(await counts([0, 9, 10], past)).toEqual([0, 0, 1])
    bot = { ...bot, isActive: false }
    await watch()
    clockMs += HOUR
    expect(await counts([20], past)).toEqual([1])
  })

  it('rings when no candle has come for its minutes past the close that is due', async () => {
    await make({ kind: 'feed_silent', symbol: 'BTCUSDT', timeframe: '1h', minutes: 10 })
    const dueMs = closes.ts[0]! + 2 * HOUR
    expect(
      await counts([0, 9, 10], (minutes) => {
        clockMs = dueMs + minutes * 60_000
      }),
    ).toEqual([0, 0, 1])
    expect((await rung())[0]![0]).toBe('BTCUSDT 1h without candles for 10 min')
  })
})

describe('whose alerts', () => {
  it('are seen, changed, deleted and restored by their user alone, an admin too', async () => {
    const { id } = await make(ABOVE_100)
    for (const other of [member(ben), member(ben, 'bot_manager'), member(root, 'admin')]) {
      expect(await service.list(other)).toEqual([])
      await expect(service.change(other, id, { isOn: false })).rejects.toMatchObject({ code: 'not_found' })
      await expect(service.delete(other, id)).rejects.toMatchObject({ code: 'not_found' })
      await expect(service.restore(other, id)).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(await service.list(member(ann))).toMatchObject([{ id, isOn: true, about: 'BTCUSDT above 100.00' }])
  })

  it('are about own bots, even of an admin', async () => {
    const draft = { rule: { kind: 'drawdown', botId: BOT, pct: 10 }, note: '', restMinutes: 60 } as const
    for (const other of [member(ben), member(root, 'admin')])
      await expect(service.create(other, draft)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are a hundred at most, restored for a day, then gone', async () => {
    const { id } = await make(ABOVE_100)
    for (let i = 1; i < 100; i++) await make(ABOVE_100)
    await expect(make(ABOVE_100)).rejects.toMatchObject({ code: 'unprocessable' })
    await service.delete(member(ann), id)
    clockMs += RESTORED_FOR_MS
    await expect(service.restore(member(ann), id)).rejects.toMatchObject({ code: 'not_found' })
    clockMs += 1
    await forgetAlerts(db.orm, clockMs)
    expect(await db.orm.$count(alerts)).toBe(99)
  })
})

it('the feed follows what alerts watch, prices by the minute', async () => {
  await make(ABOVE_100)
  await make({ kind: 'signal', symbol: 'BTCUSDT', timeframe: '4h', signal: 'SELL' })
  const { id } = await make({ kind: 'feed_silent', symbol: 'BTCUSDT', timeframe: '1d', minutes: 5 })
  await service.change(member(ann), id, { isOn: false })
  const followed = (await seriesOfAlerts(db.orm, 'test')).toSorted((a, b) => (a.timeframe < b.timeframe ? -1 : 1))
  expect(followed).toEqual([
    { symbol: 'BTCUSDT', timeframe: '1m' },
    { symbol: 'BTCUSDT', timeframe: '4h' },
  ])
})
