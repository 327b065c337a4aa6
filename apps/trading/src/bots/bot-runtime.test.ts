import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { BotTrade } from '@shapecast/contracts/bot-trading'
import type { BotDraft } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { runBacktest } from '@shapecast/engine/backtest'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, candlesFromRows, indexAtOrAfter, rowsFromCandles, sliceCandles } from '@shapecast/engine/candles'
import { decisionOfSignal } from '@shapecast/engine/decisions'
import { decide, planOf } from '@shapecast/engine/policies/plan'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { sharedFile } from '@shapecast/venues/testing/shared-data'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookEntry } from '../../test/support/bot-accounts.ts'
import {
  type BotsBench,
  createBotsBench,
  invented,
  type ScriptedMarket,
  scriptedMarket,
} from '../../test/support/bots-bench.ts'
import { createServiceBench, type ServiceBench } from '../../test/support/service-bench.ts'
import { createParityCheck } from './parity.ts'
import { bots, botWatches } from './tables.ts'

const HOUR = TIMEFRAME_MS['1h']
const MINUTE = TIMEFRAME_MS['1m']
const START = Date.UTC(2024, 0, 1)
let bench: ServiceBench
let market: ScriptedMarket
let room: BotsBench
const BTC = generateCandles({ candles: 800, seed: 3, startMs: START, clusters: 0.3 })
const ETH = generateCandles({ candles: 800, seed: 4, startMs: START, clusters: 0.3 })

beforeAll(async () => {
  bench = await createServiceBench()
})
beforeEach(async () => {
  await bench.db.pool.query('delete from trading.bots')
  market = scriptedMarket(
    new Map([
      ['BTCUSDT', BTC],
      ['ETHUSDT', ETH],
    ]),
  )
  market.nowMs = START + 100 * HOUR + 60_000
  room = createBotsBench(bench.db, market)
})
afterAll(() => bench.close())

const ml = (changes: Partial<BotDraft> = {}): Partial<BotDraft> => ({
  mlModelVersion: 'v3',
  marketType: 'futures',
  leverage: 5,
  positionSize: 0.02,
  initialBalance: 1000,
  maxDrawdown: 50,
  ...changes,
})
const viewer = () => room.owner
const botOf = (id: string) => room.service.show(id, viewer())
const tradesOf = async (id: string) => (await room.reads.trades(id, { limit: 1000 }, viewer())).toReversed()
const decisionsOf = async (id: string) =>
  (await room.reads.decisions(id, { limit: 1000, show: 'all' }, viewer())).decisions.toReversed()
const closes = async (count: number) => {
  for (let i = 0; i < count; i++) {
    market.nowMs += HOUR
    await room.runtime.catchUp()
  }
}

/** What a backtest makes of the candles that a bot has lived through. */
function backtestOf(
  draft: Partial<BotDraft>,
  candles: Candles,
  fromTs: number,
  toTs: number,
  timeframe: '1h' | '1m' = '1h',
) {
  const plan = planOf({
    tradingPairs: ['BTCUSDT'],
    riskLevel: 'medium',
    marketType: 'spot',
    leverage: 10,
    positionSize: 0.001,
    initialBalance: 10,
    maxDrawdown: 10,
    takeProfitPct: 0,
    stopLossPct: 0,
    mlModelVersion: null,
    mlModelVersions: null,
    consensusConfig: null,
    isVirtual: true,
    parameters: null,
    ...(draft as object),
  })
  const run = sliceCandles(candles, indexAtOrAfter(candles, fromTs), indexAtOrAfter(candles, toTs + 1))
  const decisions = Int8Array.from(run.ts, (ts) =>
    decisionOfSignal(
      decide(
        plan.versions.map((version) => invented(version, 'BTCUSDT', ts).forecast),
        plan,
      ).signal,
    ),
  )
  const settings = {
    ...plan.settings,
    timeframe,
    feeRate: 0.0006,
    slippageBps: 5,
    lotSize: 0.001,
    minNotional: 5,
  } as const
  return runBacktest(run, decisions, backtestSettings(settings))
}
const plain = ({
  side,
  entryTime,
  exitTime,
  entryPrice,
  exitPrice,
  quantity,
  netPnL,
  fees,
  exitReason,
}: BotTrade | ReturnType<typeof runBacktest>['trades'][number]) => ({
  side,
  entryTime,
  exitTime,
  entryPrice,
  exitPrice,
  quantity,
  netPnL,
  fees,
  exitReason,
})

describe('a bot that runs', () => {
  it('trades as its backtest does, and its ledger adds up to its balance', async () => {
    const draft = ml()
    const id = await room.started(draft)
    const first = market.nowMs
    await closes(35)
    const bot = await botOf(id)
    const tested = backtestOf(draft, BTC, Math.floor(first / HOUR) * HOUR, market.nowMs - HOUR - 1)
    const trades = await tradesOf(id)
    expect(trades.map(plain)).toEqual(tested.trades.map(plain))
    expect(trades.length).toBeGreaterThan(5)
    expect(bot.totalTrades).toBe(trades.length)
    expect(bot.winningTrades).toBe(trades.filter(({ netPnL }) => netPnL > 0).length)
    expect(bot.lastTradeAt).toBe(trades.at(-1)!.exitTime)
    expect(bot.currentBalance).toBeCloseTo(tested.finalEquity, 6)
    const balance = await room.reads.balance(id, viewer())
    expect(balance.equity).toBeCloseTo(tested.finalEquity, 6)
    expect(balance.balance).toBeCloseTo(tested.finalBalance, 6)
    const won = trades.filter(({ netPnL }) => netPnL > 0).length / trades.length
    const [low, high] = balance.winInterval!
    expect(low < won && won < high).toBe(true)
    // What is open has made its price's gain, its costs taken off.
    const held = balance.positions.reduce((sum, one) => sum + one.unrealizedPnL - one.fees! + one.funding!, 0)
    expect(held).toBeCloseTo(balance.openPnL, 6)
    const { points } = await room.reads.equity(id, { limit: 2000 }, viewer())
    expect(points.map(({ equity }) => equity)).toEqual([...tested.equity])
  })

  it('names the order of each decision that traded: the market order in the next candle, of a reversal the entry', async () => {
    const id = await room.started(ml({ stopLossPct: 1 }))
    await closes(25)
    const decisions = (await decisionsOf(id)).slice(0, -1)
    const { rows } = await bench.db.pool.query(
      `select o.id, o.type, o.side, o.placed_market_ms::float8 as ms from trading.orders o
       join trading.accounts a on a.id = o.account_id where a.owner_id = $1`,
      [id],
    )
    const sides = { opened_long: 'buy', opened_short: 'sell', closed: undefined, reversed: undefined } as const
    const traded = decisions.filter(({ action }) => action in sides)
    expect(traded.length).toBeGreaterThan(6)
    for (const { orderId, candleTs, action } of traded) {
      const order = rows.find((row) => row.id === orderId)
      expect([order?.ms, order?.type]).toEqual([candleTs + HOUR, 'market'])
      expect(order.side).toBe(sides[action as keyof typeof sides] ?? order.side)
    }
    const named = decisions.filter(({ orderId }) => orderId !== null)
    expect(new Set(named.map(({ orderId }) => orderId)).size).toBe(named.length)
    expect(named.length).toBe(traded.length)
  })

  it('says at which price each decision was carried out, and what the trades made that it closed', async () => {
    const id = await room.started(ml({ stopLossPct: 1 }))
    await closes(25)
    const decisions = await decisionsOf(id)
    const trades = await tradesOf(id)
    for (const { action, candleTs, price, netPnL } of decisions.slice(0, -1)) {
      const opened = trades.find(({ entryTime }) => entryTime === candleTs + HOUR)
      const closed = trades.find((one) => one.exitTime === candleTs + HOUR && one.exitReason !== 'stop_loss')
      expect(netPnL).toBe(closed?.netPnL ?? null)
      if (opened !== undefined) expect(price).toBeCloseTo(opened.entryPrice, 6)
      else if (action === 'closed') expect(price).toBeCloseTo(closed!.exitPrice, 6)
      if (action === 'held' || action === 'no_order') expect(price).toBeNull()
    }
    expect(decisions.filter(({ netPnL }) => netPnL !== null).length).toBeGreaterThan(3)
  })

  it('decides each candle once however often it is asked, and starts with the first that closes after its start', async () => {
    const id = await room.started(ml())
    await room.runtime.catchUp()
    expect(await decisionsOf(id)).toEqual([])
    market.nowMs += HOUR
    await Promise.all([1, 2, 3].map(() => room.runtime.catchUp()))
    await closes(5)
    await room.runtime.catchUp()
    const times = (await decisionsOf(id)).map(({ candleTs }) => (candleTs - START) / HOUR)
    expect(times).toEqual([100, 101, 102, 103, 104, 105])
  })

  it('goes through what it has missed: stops act, nothing is opened, and the log says so', async () => {
    const draft = ml({ stopLossPct: 1 })
    const id = await room.started(draft)
    await closes(30)
    market.nowMs += 20 * HOUR
    await room.runtime.catchUp()
    const all = await decisionsOf(id)
    const missed = all.filter(({ rule }) => rule === 'missed')
    expect(missed.map(({ candleTs }) => (candleTs - START) / HOUR)).toEqual(
      Array.from({ length: 19 }, (_, k) => 130 + k),
    )
    expect(all.at(-1)!.rule).not.toBe('missed')
    expect(new Set(all.map(({ candleTs }) => candleTs)).size).toBe(50)
    const firstMissed = START + 130 * HOUR
    for (const { entryTime } of await tradesOf(id)) expect(entryTime).toBeLessThanOrEqual(firstMissed)
  })

  it('misses no candle that a replay passes while others are decided: ten of them, within ten seconds', async () => {
    const draft = ml({ stopLossPct: 1 })
    const [quick, slow] = [await room.started(draft), await room.started(draft)]
    await closes(5)
    // An hour a second, and the machine was busy for 4 of them; then for 14.
    market.speed = 3600
    market.nowMs += 4 * HOUR
    await room.runtime.catchUp()
    expect((await decisionsOf(quick)).map(({ rule }) => rule)).not.toContain('missed')
    const tested = backtestOf(draft, BTC, START + 100 * HOUR, START + 108 * HOUR)
    expect((await tradesOf(slow)).map(plain)).toEqual(tested.trades.map(plain))
    market.nowMs += 14 * HOUR
    await room.runtime.catchUp()
    const missed = (await decisionsOf(quick)).filter(({ rule }) => rule === 'missed')
    expect(missed.map(({ candleTs }) => (candleTs - START) / HOUR)).toEqual([109, 110, 111])
  })

  it('waits for a pair whose candle is late, and goes on without it once the next has closed', async () => {
    const late = new Map([
      ['BTCUSDT', BTC],
      ['ETHUSDT', sliceCandles(ETH, 0, 105)],
    ])
    market = scriptedMarket(late)
    market.nowMs = START + 103 * HOUR + 60_000
    room = createBotsBench(bench.db, market)
    const id = await room.started(ml({ tradingPairs: ['BTCUSDT', 'ETHUSDT'] }))
    await closes(3)
    const decided = async () =>
      (await decisionsOf(id)).map(({ candleTs, symbol }) => `${(candleTs - START) / HOUR} ${symbol.slice(0, 3)}`)
    expect(await decided()).toEqual(['103 ETH', '103 BTC', '104 ETH', '104 BTC'])
    await closes(1)
    expect((await decided()).slice(4)).toEqual(['105 BTC'])
  })

  it('pauses at its drawdown limit: the position is closed at the next price, the reason is told, a start goes on', async () => {
    const id = await room.started(ml({ maxDrawdown: 1, positionSize: 1, leverage: 50 }))
    for (let i = 0; i < 200 && (await botOf(id)).status === 'active'; i++) await closes(1)
    const bot = await botOf(id)
    expect(bot).toMatchObject({ status: 'paused', statusReason: expect.stringContaining('drawdown limit of 1%') })
    await closes(2)
    expect((await tradesOf(id)).at(-1)!.exitReason).toBe('max_drawdown')
    const balance = await room.reads.balance(id, viewer())
    expect(balance.positions).toEqual([])
    expect(balance.worstDrawdownPct).toBeGreaterThanOrEqual(1)
    const halted = (await decisionsOf(id)).at(-1)!
    expect(halted).toMatchObject({ rule: 'halted', action: 'no_order' })
    await room.control.start(id, viewer())
    await closes(1)
    expect((await decisionsOf(id)).at(-1)!.rule).toBe('signal')
  })

  it('paused by a person keeps its position and opens nothing; stopped closes it at the next price', async () => {
    const id = await room.started(ml())
    const held = async () => (await room.reads.balance(id, viewer())).positions
    for (let i = 0; i < 50; i++) {
      await closes(1)
      if ((await held()).length > 0) break
    }
    const [position] = await held()
    await room.control.pause(id, viewer())
    await closes(10)
    expect((await held())[0]).toMatchObject({ entryTime: position!.entryTime, quantity: position!.quantity })
    expect((await decisionsOf(id)).at(-1)).toMatchObject({ rule: 'paused', action: 'held' })
    await room.control.stop(id, viewer())
    await room.runtime.between()
    expect(await held()).toEqual([])
    const { exitReason, exitPrice } = (await tradesOf(id)).at(-1)!
    expect(exitReason).toBe('stopped')
    expect(exitPrice / (await market.price('BTCUSDT'))).toBeCloseTo(1, 2)
    expect(await bench.db.orm.select().from(botWatches).where(eq(botWatches.botId, id))).toEqual([])
  })

  it('stops when its owner leaves, and closes its position at the next price', async () => {
    const id = await room.started(ml())
    while ((await room.reads.balance(id, viewer())).positions.length === 0) await closes(1)
    await bench.db.orm.transaction((tx) => room.control.stopAllOf(tx, room.owner.userId))
    expect(await botOf(id)).toMatchObject({ status: 'stopped', statusReason: 'Its owner is deleting the account.' })
    await room.runtime.between()
    expect((await room.reads.balance(id, viewer())).positions).toEqual([])
    expect((await tradesOf(id)).at(-1)?.exitReason).toBe('stopped')
  })

  it('with real money keeps its owner from leaving, and all their bots as they are', async () => {
    const [virtual, real] = [await room.started(ml()), await room.started(ml())]
    await bench.db.orm.update(bots).set({ isVirtual: false }).where(eq(bots.id, real))
    const leave = bench.db.orm.transaction((tx) => room.control.stopAllOf(tx, room.owner.userId))
    await expect(leave).rejects.toThrow('it trades real money')
    expect((await botOf(virtual)).status).toBe('active')
  })

  it('acts between closes on what the forming candle has reached, and ends with the same trades', async () => {
    const draft = ml({ stopLossPct: 0.6 })
    const [watched, plainBot] = [await room.started(draft), await room.started(draft)]
    const first = market.nowMs
    let between = 0
    for (let i = 0; i < 24; i++) {
      market.nowMs += HOUR / 2
      const at = indexAtOrAfter(BTC, market.nowMs - HOUR)
      const row = rowsFromCandles(sliceCandles(BTC, at, at + 1))[0]!
      market.formingRows.set('BTCUSDT', row)
      await bench.db.orm.update(bots).set({ venue: 'elsewhere' }).where(eq(bots.id, plainBot))
      const before = (await tradesOf(watched)).length
      await room.runtime.between()
      between += (await tradesOf(watched)).length - before
      await bench.db.orm.update(bots).set({ venue: 'replay' }).where(eq(bots.id, plainBot))
      market.formingRows.clear()
      market.nowMs += HOUR / 2
      await room.runtime.catchUp()
    }
    expect(between).toBeGreaterThan(1)
    const tested = backtestOf(draft, BTC, Math.floor(first / HOUR) * HOUR, market.nowMs - HOUR - 1)
    for (const id of [watched, plainBot]) expect((await tradesOf(id)).map(plain)).toEqual(tested.trades.map(plain))
  })

  it('stops with an error that says why where its ledger and its account differ, and keeps no other from trading', async () => {
    const [broken, fine] = [await room.started(ml()), await room.started(ml())]
    await bookEntry(bench.db, broken, 'sale', '0.001')
    await closes(3)
    expect(await botOf(broken)).toMatchObject({
      status: 'error',
      statusReason: expect.stringContaining('do not agree'),
    })
    expect((await botOf(fine)).status).toBe('active')
    expect(await decisionsOf(fine)).toHaveLength(3)
    // Said once, by the feed and to its owner, however often it could not go on.
    const told = async (sql: string) => (await bench.db.pool.query(sql, [broken])).rows
    expect(
      await told("select actor_id from platform.activities where subject_id = $1 and action = 'bot.failed'"),
    ).toEqual([{ actor_id: null }])
    expect(await told("select kind, text from platform.notifications where link = '/trading?bot=' || $1")).toEqual([
      { kind: 'error', text: expect.stringContaining('do not agree') },
    ])
  })

  it('keeps what its models said last, an ensemble with each vote', async () => {
    const id = await room.started(ml({ mlModelVersion: undefined, mlModelVersions: ['a', 'b'] }))
    await closes(1)
    const { rows } = await bench.db.pool.query('select prediction from trading.bot_predictions where bot_id = $1', [id])
    expect(rows[0].prediction).toMatchObject({ botId: id, symbol: 'BTCUSDT', timeframe: '1h' })
    expect(rows[0].prediction.votes.map((vote: { version: string }) => vote.version)).toEqual(['a', 'b'])
  })
})

/** Minutes around a halt of 80 of them: 60 before and 60 after. */
function haltedMinutes(haltedAt: number): Candles {
  const all = generateCandles({ candles: 200, seed: 9, startMs: haltedAt - 60 * MINUTE, timeframeMs: MINUTE })
  return candlesFromRows(rowsFromCandles(all).filter(([ts]) => ts < haltedAt || ts >= haltedAt + 80 * MINUTE))
}

/** Rows of a packed file of candles that opened in a range, its end left out. */
function minutesOf(path: string, fromMs: number, toMs: number): Candles {
  const text = gunzipSync(readFileSync(path)).toString('latin1')
  const lines = text.slice(text.indexOf(`\n${fromMs},`) + 1, text.indexOf(`\n${toMs},`)).split('\n')
  return candlesFromRows(lines.map((line) => line.split(',').map(Number)))
}

describe('a bot that runs into something out of order', () => {
  const gapped = (candles: Candles, ...without: number[]) =>
    candlesFromRows(rowsFromCandles(candles).filter((_, i) => !without.includes(i)))
  const wicked = (candles: Candles, i: number) => {
    const rows = rowsFromCandles(candles)
    rows[i] = [...rows[i]!]
    rows[i]![3] = rows[i]![1] * 0.6
    return candlesFromRows(rows)
  }
  const over = (btc: Candles, eth = ETH) => {
    market = scriptedMarket(
      new Map([
        ['BTCUSDT', btc],
        ['ETHUSDT', eth],
      ]),
    )
    market.nowMs = START + 100 * HOUR + 60_000
    room = createBotsBench(bench.db, market)
  }
  const asTested = async (id: string, draft: Partial<BotDraft>, candles: Candles) => {
    const tested = backtestOf(draft, candles, START + 100 * HOUR, market.nowMs - HOUR - 1)
    expect((await tradesOf(id)).map(plain)).toEqual(tested.trades.map(plain))
    return tested
  }

  it('a halt of three hours: no candle, no decision, and what follows is as in a backtest', async () => {
    const candles = gapped(BTC, 110, 111, 112)
    over(candles)
    const id = await room.started(ml())
    await closes(30)
    await asTested(id, ml(), candles)
    expect((await decisionsOf(id)).map(({ candleTs }) => (candleTs - START) / HOUR)).not.toContain(111)
    expect((await botOf(id)).status).toBe('active')
  })

  it.each(['made-up minutes', 'the minutes of 24 March 2023'])(
    'an exchange that halts for 80 minutes: %s',
    async (what) => {
      const haltedAt = Date.UTC(2023, 2, 24, 12, 40)
      const isHalted = (ms: number) => ms > haltedAt + MINUTE && ms < haltedAt + 70 * MINUTE
      const real = sharedFile('BTCUSDT-1m-2023H1.csv.gz')
      const candles =
        what === 'made-up minutes' || real.missing
          ? haltedMinutes(haltedAt)
          : minutesOf(real.path, haltedAt - 60 * MINUTE, haltedAt + 140 * MINUTE)
      expect(candles.length).toBe(120)
      market = scriptedMarket(new Map([['BTCUSDT', candles]]), '1m')
      room = createBotsBench(bench.db, market)
      market.nowMs = candles.ts[40]! + 1000
      const draft = ml({ parameters: { timeframe: '1m' }, stopLossPct: 0.1, positionSize: 0.05 })
      const id = await room.started(draft)
      for (; market.nowMs < haltedAt + 100 * MINUTE; market.nowMs += isHalted(market.nowMs) ? 10 * MINUTE : MINUTE)
        await room.runtime.catchUp()
      await room.runtime.catchUp()
      const decisions = await decisionsOf(id)
      const decided = candles.ts.subarray(40, indexAtOrAfter(candles, market.nowMs - MINUTE + 1))
      expect(decisions.map(({ candleTs }) => candleTs)).toEqual([...decided])
      expect(decisions.every(({ rule }) => rule !== 'missed')).toBe(true)
      const tested = backtestOf(draft, candles, candles.ts[40]!, market.nowMs - MINUTE, '1m')
      expect((await tradesOf(id)).map(plain)).toEqual(tested.trades.map(plain))
      expect(tested.trades.length).toBeGreaterThan(8)
    },
  )

  it('a wick of 40 %: stops act at their price, and a future is liquidated no further than its margin', async () => {
    const candles = wicked(BTC, 120)
    over(candles)
    const drafts = [ml({ stopLossPct: 3 }), ml({ leverage: 100, positionSize: 0.5 })]
    const ids = [await room.started(drafts[0]!), await room.started(drafts[1]!)]
    await closes(30)
    for (const [k, id] of ids.entries()) await asTested(id, drafts[k]!, candles)
    const { currentBalance } = await botOf(ids[1]!)
    expect(currentBalance).toBeGreaterThanOrEqual(0)
  })

  it('an hour without volume is a candle like any other', async () => {
    const rows = rowsFromCandles(BTC)
    for (const i of [105, 106]) rows[i] = [rows[i]![0], rows[104]![4], rows[104]![4], rows[104]![4], rows[104]![4], 0]
    over(candlesFromRows(rows))
    const id = await room.started(ml())
    await closes(12)
    expect(await decisionsOf(id)).toHaveLength(12)
  })

  it('a pair that is delisted: the bot keeps what it holds of it, and its other pair goes on', async () => {
    over(BTC, sliceCandles(ETH, 0, 110))
    const id = await room.started(ml({ tradingPairs: ['BTCUSDT', 'ETHUSDT'] }))
    await closes(30)
    const last = (await decisionsOf(id)).filter(({ symbol }) => symbol === 'ETHUSDT').at(-1)!
    expect((last.candleTs - START) / HOUR).toBe(109)
    const newest = (await decisionsOf(id)).at(-1)!
    expect([newest.symbol, (newest.candleTs - START) / HOUR, newest.rule]).toEqual(['BTCUSDT', 129, 'signal'])
    await room.control.stop(id, viewer())
    await room.runtime.between()
    expect((await room.reads.balance(id, viewer())).positions).toEqual([])
  })

  it('a clock that is set back: what was decided stays, and nothing is decided again', async () => {
    const id = await room.started(ml())
    await closes(10)
    const before = await decisionsOf(id)
    market.nowMs -= 5 * HOUR
    await room.runtime.catchUp()
    expect(await decisionsOf(id)).toEqual(before)
    await closes(6)
    expect(await decisionsOf(id)).toHaveLength(11)
  })
})

describe('live against backtest', () => {
  const check = (forecast = invented, btc = BTC) =>
    createParityCheck({
      states: room.trading,
      bots: room.store,
      rules: market.rules,
      async decisions(_bot, plan, symbol, { fromMs, toMs }) {
        const all = symbol === 'BTCUSDT' ? btc : ETH
        const candles = sliceCandles(all, indexAtOrAfter(all, fromMs), indexAtOrAfter(all, toMs + 1))
        const decisions = Int8Array.from(candles.ts, (ts) =>
          decisionOfSignal(
            decide(
              plan.versions.map((version) => forecast(version, symbol, ts).forecast),
              plan,
            ).signal,
          ),
        )
        return { candles, decisions }
      },
    })

  it('finds no difference where nothing has happened', async () => {
    const id = await room.started(ml({ stopLossPct: 1 }))
    await closes(25)
    const parity = await check()(id, viewer())
    expect(parity).toMatchObject({ candles: 25, differences: [] })
    expect(parity.liveTrades).toBe(parity.backtestTrades)
    expect(parity.livePnL).toBeCloseTo(parity.backtestPnL!, 10)
    expect(parity.liveTrades).toBeGreaterThan(5)
  })

  it('says that the target came first where a candle reaches both, of which a backtest takes the stop', async () => {
    // Each candle reaches 1 % above and below its prices.
    const wild = candlesFromRows(rowsFromCandles(BTC).map(([ts, o, h, l, c, v]) => [ts, o, 1.01 * h, 0.99 * l, c, v]))
    market = scriptedMarket(new Map([['BTCUSDT', wild]]))
    room = createBotsBench(bench.db, market)
    market.nowMs = START + 100 * HOUR + 60_000
    const id = await room.started(ml({ stopLossPct: 0.3, takeProfitPct: 0.3 }))
    for (let i = 0; i < 6; i++) {
      const at = indexAtOrAfter(wild, market.nowMs - HOUR + 1)
      const [ts, open, high, low] = rowsFromCandles(sliceCandles(wild, at, at + 1))[0]!
      market.formingRows.set('BTCUSDT', [ts, open, open, open, open, 0])
      await room.runtime.between()
      const { side } = (await room.trading.state(id))!.portfolio.pairs[0]!.account
      market.formingRows.set('BTCUSDT', side > 0 ? [ts, open, high, open, high, 0] : [ts, open, open, low, low, 0])
      await room.runtime.between()
      market.formingRows.clear()
      await closes(1)
    }
    const [first] = (await check(invented, wild)(id, viewer())).differences
    expect(first).toMatchObject({
      cause: 'price_between_candles',
      note: 'The candle reaches its stop and its target: the target came first, and a backtest takes the stop.',
      live: { exitReason: 'take_profit' },
      backtest: { exitReason: 'stop_loss' },
    })
  })

  it('names what was missed, replays what was forecast then, and names a person who paused it', async () => {
    const causes = async (id: string, forecast = invented) => {
      const { differences } = await check(forecast)(id, viewer())
      return differences[0]?.cause
    }
    const missed = await room.started(ml())
    const kept = await room.started(ml())
    await closes(10)
    await bench.db.orm.update(bots).set({ venue: 'elsewhere' }).where(eq(bots.id, missed))
    await closes(10)
    await bench.db.orm.update(bots).set({ venue: 'replay' }).where(eq(bots.id, missed))
    await closes(10)
    expect(await causes(missed)).toBe('missed_candle')
    expect(await causes(kept)).toBeUndefined()
    // What models say today does not count where it was kept what they said then.
    expect(await causes(kept, (_version, symbol, ts) => invented('other', symbol, ts))).toBeUndefined()
    await room.control.pause(kept, viewer())
    await closes(10)
    expect(await causes(kept)).toBe('settings_changed')
  })

  it('says of a trade in a candle that was revised later what the candle was then and is today', async () => {
    const id = await room.started(ml())
    await closes(30)
    const [first] = await tradesOf(id)
    const at = indexAtOrAfter(BTC, first!.exitTime)
    const [, open, , , close] = rowsFromCandles(BTC)[at]!
    const rows = rowsFromCandles(BTC).map(([ts, o, h, l, c, v]) =>
      ts === first!.exitTime ? ([ts, o + 1, h + 1, l, c + 0.5, v] as const) : ([ts, o, h, l, c, v] as const),
    )
    const { differences, costs } = await check(invented, candlesFromRows(rows.map((row) => [...row])))(id, viewer())
    expect(differences[0]).toMatchObject({
      cause: 'candle_changed',
      note: expect.stringContaining(`close ${close} then, ${close + 0.5} today;`),
      live: { exitTime: first!.exitTime },
    })
    expect(differences[0]!.note).toContain(`open ${open} then, ${open + 1} today.`)
    expect(costs).toMatchObject([{ cause: 'candle_changed', trades: differences.length }])
    expect((await check()(id, viewer())).differences).toEqual([])
  })

  /** The bot's market lacks these candles, by number, until the test gives them to it. */
  const without = (...missing: number[]) => {
    const series = new Map([['BTCUSDT', candlesFromRows(rowsFromCandles(BTC).filter((_, i) => !missing.includes(i)))]])
    market = scriptedMarket(series)
    market.nowMs = START + 100 * HOUR + 60_000
    room = createBotsBench(bench.db, market)
    return () => void series.set('BTCUSDT', BTC)
  }
  const numberOf = (ts: number) => (ts - START) / HOUR

  it('says of a candle that was not there before the next one had closed that it was late', async () => {
    const id = await room.started(ml())
    await closes(20)
    // The one at whose close a bot that has it opens a position.
    const late = numberOf((await tradesOf(id))[1]!.entryTime) - 1
    const come = without(late)
    const waiting = await room.started(ml({ name: 'Waiting' }))
    await closes(20)
    come()
    await closes(10)
    expect((await decisionsOf(waiting)).map(({ candleTs }) => numberOf(candleTs))).not.toContain(late)
    const { differences } = await check()(waiting, viewer())
    expect(differences[0]).toMatchObject({
      cause: 'candle_late',
      note: 'The candle came later than the next one, so nothing was decided on it.',
    })
  })

  it('says so too where it came in the end, and was passed by', async () => {
    const come = without(104, 105)
    const id = await room.started(ml())
    await closes(6)
    come()
    await closes(20)
    const missed = (await decisionsOf(id)).filter(({ rule }) => rule === 'missed')
    expect(missed.map(({ candleTs }) => numberOf(candleTs))).toEqual([104, 105])
    const { differences } = await check()(id, viewer())
    expect(differences[0]!.cause).toBe('candle_late')
    expect(differences.map(({ cause }) => cause)).not.toContain('missed_candle')
  })

  it('does not call a candle late at which the bot was stopped, or which the program missed', async () => {
    const id = await room.started(ml())
    await closes(4)
    await room.control.stop(id, viewer(), undefined, 'keep')
    await closes(1)
    await room.control.start(id, viewer())
    await closes(4)
    market.nowMs += 3 * HOUR
    await closes(10)
    const causes = (await check()(id, viewer())).differences.map(({ cause }) => cause)
    expect(causes).toContain('missed_candle')
    expect(causes).not.toContain('candle_late')
  })

  it('says of another size after a missed candle that it follows from that, not that it is a fee, and what each cause cost', async () => {
    const id = await room.started(ml({ parameters: { sizing: { kind: 'percent_of_equity', pct: 50 } } }))
    await closes(10)
    market.nowMs += 5 * HOUR
    await closes(30)
    const { differences, costs, livePnL, backtestPnL } = await check()(id, viewer())
    const causes = differences.map(({ cause }) => cause)
    expect(causes).toContain('missed_candle')
    expect(causes.filter((cause) => cause === 'follows_from_missed').length).toBeGreaterThan(5)
    expect(causes).not.toContain('fee')
    expect(costs.reduce((sum, { trades }) => sum + trades, 0)).toBe(differences.length)
    expect(costs.reduce((sum, { pnl }) => sum + pnl, 0)).toBeCloseTo(livePnL - backtestPnL, 8)
  })

  it('is for its owner and admins, and has nothing to say before the first decision', async () => {
    const id = await room.started(ml())
    await expect(check()(id, viewer())).rejects.toMatchObject({ code: 'too_few_candles' })
    await expect(check()(id, { userId: 'somebody', role: 'user' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
