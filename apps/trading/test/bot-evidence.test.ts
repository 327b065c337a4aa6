import { botEvidence } from '@shapecast/contracts/bot-evidence'
import { candlesFromRows } from '@shapecast/engine/candles'
import { createPortfolio } from '@shapecast/engine/portfolio'
import { createLogger } from '@shapecast/platform/logging'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { createBotEvidence } from '../src/bots/bot-evidence.ts'
import { unseen } from '../src/bots/bot-rights.ts'
import { createBotStore } from '../src/bots/bot-store.ts'
import { NOT_REBALANCED } from '../src/bots/decision-words.ts'
import { createEvidenceWatch } from '../src/bots/evidence-watch.ts'
import { botEvidenceRoutes } from '../src/bots/routes.ts'
import { createRuntimeStore } from '../src/bots/runtime-store.ts'
import { botEquity, botStates, bots, botWatches } from '../src/bots/tables.ts'
import { createTradingStore } from '../src/bots/trading-store.ts'
import { maySee } from '../src/ground/ownership.ts'
import { botAccountsOn } from './support/bot-accounts.ts'
import { insertBot } from './support/insert-bot.ts'
import { call, createServiceBench } from './support/service-bench.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2024, 0, 10)
const VENUE = 'simulated'

const bench = await createServiceBench()
afterAll(() => bench.close())
const { orm } = bench.db
const { owner, other, admin } = bench.users
const books = botAccountsOn(VENUE)
const store = createTradingStore(orm, books)
const records = createBotStore(orm, VENUE, books)

/** A pair's close at 00:00 of each day from START on, in the last hour before it. */
let closes: number[] = []
const evidence = createBotEvidence({
  states: store,
  async read(id, viewer) {
    const bot = await records.find(id)
    if (bot === undefined || !maySee(bot, viewer)) throw unseen()
    return bot
  },
  candles: async (_symbol, _timeframe, { fromMs, toMs }) =>
    candlesFromRows(
      closes
        .map((close, day): [number, number, number, number, number, number] => {
          const ts = START + day * DAY - HOUR
          return [ts, close, close, close, close, 1]
        })
        .filter(([ts]) => ts >= fromMs && ts <= toMs),
    ),
})
const app = bench.mount((server) => botEvidenceRoutes(server, evidence))

async function read(id: string) {
  const { status, body } = await call(app, 'GET', `/api/bots/${id}/evidence`, { as: owner })
  expect(status).toBe(200)
  return botEvidence.reply.parse(body)
}
/** Equity at 00:00 of each day, and half of it held. */
const keep = (botId: string, equity: readonly number[], heldShare: number | null = 0.5) =>
  orm.insert(botEquity).values(equity.map((at, day) => ({ botId, atMs: START + day * DAY, equity: at, heldShare })))

describe('the evidence of a bot', () => {
  it('counts days from midnight to midnight by what they brought over the mean share held before', async () => {
    closes = [100, 104, 106.08, 106.08]
    const id = await insertBot(bench.db, owner.userId)
    await keep(id, [1000, 1010, 1030.2])
    // The third day is not over, and a close within the second moves nothing.
    await orm.insert(botEquity).values([
      { botId: id, atMs: START + DAY + 5 * HOUR, equity: 700, heldShare: 0 },
      { botId: id, atMs: START + 2 * DAY + 5 * HOUR, equity: 5, heldShare: 0.5 },
    ])
    const { overHolding, ...told } = await read(id)
    expect(told).toMatchObject({ verdict: 'too_early', days: 2, differingDays: 1, from: START, decidedAt: null })
    expect(told).toMatchObject({ edge: null, isPriced: true })
    // The second day: 2 % where half of the pair's 2 % would have been 1 %.
    expect(overHolding).toBeCloseTo(1, 9)
    expect(told.points).toEqual([
      { t: START + DAY, better: 1, worse: 1 },
      { t: START + 2 * DAY, better: 1, worse: 1 },
    ])
  })

  it('leaves out days on which the bot was stopped, and those from before its shares were kept', async () => {
    closes = [100, 100, 100, 100, 100, 100]
    const id = await insertBot(bench.db, owner.userId)
    await keep(id, [900, 950], null)
    await orm
      .insert(botEquity)
      .values([2, 3, 5].map((day) => ({ botId: id, atMs: START + day * DAY, equity: 1000, heldShare: 1 })))
    expect(await read(id)).toMatchObject({ days: 1, from: START + 2 * DAY })
  })

  it('compares nothing where a price is not known', async () => {
    closes = []
    const id = await insertBot(bench.db, owner.userId)
    await keep(id, [1000, 1010])
    expect(await read(id)).toMatchObject({ days: 0, from: null, isPriced: false, points: [] })
  })

  it('says nothing of a bot that has not traded', async () => {
    expect(await read(await insertBot(bench.db, owner.userId))).toMatchObject({ days: 0, overHolding: 0 })
  })

  it('is for its owner, admins, and everybody where the bot is public', async () => {
    const id = await insertBot(bench.db, owner.userId)
    const status = async (as?: typeof owner, base = '/api') =>
      (await call(app, 'GET', `${base}/bots/${id}/evidence`, as === undefined ? {} : { as })).status
    expect([await status(), await status(other), await status(admin)]).toEqual([401, 404, 200])
    expect(await status(undefined, '/public')).toBe(404)
    await orm.update(bots).set({ visibility: 'public' }).where(eq(bots.id, id))
    expect([await status(other), await status(undefined, '/public')]).toEqual([200, 200])
  })
})

describe('a bot that is told to be worse than holding', () => {
  /** Gains 0.2 % and loses 1.8 % in turns, while its pair stands still. */
  const LOSING = Array.from(
    { length: 400 },
    (_, day) => 1000 * 1.002 ** Math.ceil(day / 2) * 0.982 ** Math.floor(day / 2),
  )
  const told: string[] = []
  const judged: string[] = []
  const watch = (nowMs: number) =>
    createEvidenceWatch({
      db: bench.db,
      store: createRuntimeStore(orm, VENUE),
      async tell(_tx, news) {
        told.push(...news.map(({ kind, title }) => `${kind}: ${title}`))
      },
      replayNow: async () => null,
      log: createLogger('silent'),
      now: () => 0,
      bots: records,
      evidence: {
        judge(bot) {
          judged.push(bot.id)
          return evidence.judge(bot)
        },
      },
      marketNow: async () => nowMs,
    })

  async function losing(over: Parameters<typeof insertBot>[2]): Promise<string> {
    closes = LOSING.map(() => 100)
    const id = await insertBot(bench.db, owner.userId, { status: 'active', ...over })
    await keep(id, LOSING)
    const portfolio = createPortfolio(1000, ['BTCUSDT'])
    portfolio.pairs[0]!.pending = 1
    portfolio.pairs[0]!.byHand = { target: 0.5, askedMs: 90_000 }
    await orm.insert(botStates).values({ botId: id, timeframe: '1h', decidedTs: 0, portfolio, worstDrawdownPct: 0 })
    return id
  }

  it('is paused by the rule of its owner, who is told, and opens nothing more', async () => {
    const id = await losing({ parameters: { pauseWhenWorse: true }, name: 'Losing' })
    const { verdict, decidedAt, points } = await read(id)
    expect(verdict).toBe('worse')
    expect(points.at(-1)!.worse).toBeGreaterThan(40)
    await watch(START)()
    const [bot] = await orm.select().from(bots).where(eq(bots.id, id))
    const on = new Date(decidedAt! - 1).toISOString().slice(0, 10)
    expect(bot).toMatchObject({ status: 'paused' })
    expect(bot!.statusReason).toBe(
      `Since ${on} it is told from luck that it does worse than holding as much: by your rule it is paused. It keeps what it holds. Take the rule away to start it again.`,
    )
    expect(told).toEqual(['halt: Losing paused by itself'])
    const state = await store.state(id)
    expect(state!.portfolio.pairs[0]!.pending).toBeNull()
    expect(state!.portfolio.pairs[0]!.byHand).toBeUndefined()
    expect((await store.byHand(id)).map(({ askedMs, reason }) => [askedMs, reason])).toEqual([[90_000, NOT_REBALANCED]])
    expect(await orm.select().from(botWatches).where(eq(botWatches.botId, id))).toEqual([])
  })

  it('goes on without the rule, and its owner is told once, however often and by however many it is looked at', async () => {
    const id = await losing({ parameters: { pauseWhenWorse: false }, name: 'Going on' })
    told.length = 0
    await Promise.all([watch(START)(), watch(START)(), watch(START)()])
    await watch(START + DAY)()
    expect((await records.find(id))!.status).toBe('active')
    expect(told).toEqual(['evidence: Going on does worse than holding'])
  })

  it('is judged once an hour with the rule and once a day without it, whichever process has the turn', async () => {
    const ids = [await losing({ parameters: { pauseWhenWorse: true } }), await losing({})]
    for (const id of ids) {
      const even = LOSING.slice(0, 20).map(() => 1000)
      await orm.delete(botEquity).where(eq(botEquity.botId, id))
      await keep(id, even)
    }
    judged.length = 0
    for (const hour of [1, 1, 2, 25]) await watch(START + hour * 3_600_000)()
    expect(ids.map((id) => judged.filter((each) => each === id).length)).toEqual([3, 2])
  })

  it('is told better where it does, and nothing before it is decided', async () => {
    told.length = 0
    const id = await losing({ name: 'Winning' })
    await orm.delete(botEquity).where(eq(botEquity.botId, id))
    const winning = LOSING.map((equity) => 1e6 / equity)
    await keep(id, winning.slice(0, 60))
    await watch(START)()
    expect(told).toEqual([])
    await orm.delete(botEquity).where(eq(botEquity.botId, id))
    await keep(id, winning)
    await watch(START + DAY)()
    expect(told).toEqual(['evidence: Winning does better than holding'])
  })

  it('is told nothing twice after it was paused by the rule and started again without it', async () => {
    told.length = 0
    const id = await losing({ parameters: { pauseWhenWorse: true }, name: 'Again' })
    await watch(START)()
    await orm.update(bots).set({ status: 'active', parameters: {} }).where(eq(bots.id, id))
    await watch(START + DAY)()
    expect(told).toEqual(['halt: Again paused by itself'])
  })
})
