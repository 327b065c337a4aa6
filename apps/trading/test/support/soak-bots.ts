import { join } from 'node:path'
import type { BotTrade } from '@shapecast/contracts/bot-trading'
import { type BotDraft, type BotRecord, ConsensusConfig } from '@shapecast/contracts/bots'
import type { CandleRow } from '@shapecast/contracts/market'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter, rowsFromCandles, sliceCandles } from '@shapecast/engine/candles'
import { decisionOfSignal } from '@shapecast/engine/decisions'
import type { EngineTrade } from '@shapecast/engine/journal'
import type { FundingSeries } from '@shapecast/engine/models/funding'
import { decide, type Plan, planOf } from '@shapecast/engine/policies/plan'
import { targetColumn } from '@shapecast/engine/policies/targets'
import { targetsOfMostTraded } from '@shapecast/engine/policies/universe'
import { type GoneAt, type PairRun, runPortfolio } from '@shapecast/engine/portfolio'
import { createRandom } from '@shapecast/engine/random'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import type { Database } from '@shapecast/platform/database/database'
import { rulesOf } from '../../src/bots/advance-bot.ts'
import { deciderOf } from '../../src/deciders/deciders.ts'
import { createBotsBench, invented, scriptedMarket } from './bots-bench.ts'
import { POINTS } from './deadly-points.ts'
import { createMortal } from './mortal-process.ts'

const HOUR = TIMEFRAME_MS['1h']
const START = Date.UTC(2024, 0, 1)
/** Enough for the averages over 100 days. */
const BEFORE = 2450
const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT']
const RULES = { lotSize: 0.001, minNotional: 5 }

/** The market of a soak, the same in each of its processes: candles by its seed, and the clock in the database. */
export async function soakMarket(db: Database, seed: number, closes: number) {
  const series = new Map<string, Candles>(
    SYMBOLS.map((symbol, i) => [
      symbol,
      generateCandles({ candles: BEFORE + closes + 2, seed: seed + i, startMs: START, clusters: 0.3 }),
    ]),
  )
  const market = scriptedMarket(series)
  const tick = async () => {
    const { rows } = await db.pool.query<{ ms: string }>('select ms from soak_clock')
    market.nowMs = Number(rows[0]!.ms)
    // A backtest over all closes sees nothing of what forms after the last one.
    market.formingRows.clear()
    if (market.nowMs < START + (BEFORE + closes) * HOUR)
      for (const [symbol, candles] of series) market.formingRows.set(symbol, formingRow(candles, market.nowMs))
  }
  await tick()
  return { series, market, tick }
}

/** The candle that forms: in the first half of its time its open alone is known, then all of it. */
function formingRow(candles: Candles, nowMs: number): CandleRow {
  const i = indexAtOrAfter(candles, nowMs - (nowMs % HOUR))
  const [ts, open, high, low, close, volume] = rowsFromCandles(sliceCandles(candles, i, i + 1))[0]!
  return nowMs - ts < HOUR / 2 ? [ts, open, open, open, open, 0] : [ts, open, high, low, close, volume]
}

const ml = (changes: Partial<BotDraft>): Partial<BotDraft> => ({
  mlModelVersion: 'v0',
  marketType: 'futures',
  leverage: 5,
  positionSize: 0.02,
  initialBalance: 1000,
  maxDrawdown: 50,
  ...changes,
})

/** One of each kind of bot, thirty-five in all. */
export const KINDS: readonly Partial<BotDraft>[] = [
  ml({}),
  ml({ marketType: 'spot' }),
  ml({ stopLossPct: 1 }),
  ml({ takeProfitPct: 1 }),
  ml({ stopLossPct: 1, takeProfitPct: 2 }),
  ml({ leverage: 100, positionSize: 2 }),
  ml({ maxDrawdown: 1, positionSize: 0.2 }),
  ml({ parameters: { requireEdge: true } }),
  ml({ parameters: { sizing: { kind: 'percent_of_equity', pct: 30 } } }),
  ml({ parameters: { sizing: { kind: 'quote_amount', quote: 300 } } }),
  ml({ parameters: { sizing: { kind: 'volatility_target', annualPct: 50 } } }),
  ml({ strategy: 'openai', mlModelVersion: undefined }),
  ...ConsensusConfig.shape.strategy.def.innerType.options.flatMap((strategy) =>
    ConsensusConfig.shape.onDisagreement.def.innerType.options.map((onDisagreement) =>
      ml({
        mlModelVersion: undefined,
        mlModelVersions: ['v0', 'v1', 'v2'],
        consensusConfig: ConsensusConfig.parse({ strategy, onDisagreement, minConfidence: 0.55 }),
      }),
    ),
  ),
  ...(['steady_risk', 'trend_steady_risk', 'trend_ensemble', 'fixed_share', 'model_brake'] as const).map((policy) =>
    ml({ marketType: 'spot', parameters: { policy } }),
  ),
  ...[
    'enter: close > open exit: close < open[1] trail: 0.5% time: 3',
    'enter: close > sma(5) exit: rsi(3) > 60 short: close < sma(5) cover: rsi(3) < 40 stop: 1% target: 1%',
    'enter: p_up >= 0.5 and edge > 0 exit: sigma > 0.8 short: edge < -20',
  ].map((rule) => ml({ parameters: { policy: 'rule', rule } })),
  ml({ tradingPairs: SYMBOLS }),
  ml({ tradingPairs: SYMBOLS, marketType: 'spot', parameters: { policy: 'fixed_share' } }),
  ml({
    tradingPairs: SYMBOLS,
    marketType: 'spot',
    parameters: {
      policy: 'steady_risk',
      costs: { feeRate: 0.001, slippageBps: 3, postOnly: { makerFeeRate: 0.0002 } },
    },
  }),
]

/** What a backtest makes of the candles from `fromTs` to `toTs`, pair by pair. */
export function backtestOfBot(
  bot: BotRecord,
  series: ReadonlyMap<string, Candles>,
  fromTs: number,
  toTs: number,
  funding: FundingSeries | null = null,
) {
  const plan = planOf(bot)
  const trades: (EngineTrade & { symbol: string })[] = []
  const runs = new Map(
    bot.tradingPairs.map((symbol): [string, PairRun] => {
      const all = sliceCandles(series.get(symbol)!, 0, indexAtOrAfter(series.get(symbol)!, toTs + 1))
      const from = indexAtOrAfter(all, fromTs)
      const journal = {
        fill() {},
        trade: (trade: EngineTrade) => void trades.push({ ...trade, symbol }),
        skip() {},
        reduced() {},
        gap() {},
        funding() {},
      }
      const decisions = decisionsOf(bot, plan, symbol, all, from)
      return [
        symbol,
        { candles: sliceCandles(all, from), decisions, rules: rulesOf(plan, '1h', { ...RULES, funding }), journal },
      ]
    }),
  )
  let goneAt: GoneAt | undefined
  if (plan.targets?.mostTraded) {
    const pairs = [...runs].map(([symbol, run]) => ({ ...run, symbol, basis: series.get(symbol)! }))
    const held = targetsOfMostTraded(pairs, plan.targets.pairs, TIMEFRAME_MS['1h'])
    goneAt = held.goneAt
    for (const [k, { symbol }] of pairs.entries())
      runs.set(symbol, { ...runs.get(symbol)!, decisions: held.targets[k]! })
  }
  return { trades, portfolio: runPortfolio(bot.initialBalance, runs, undefined, undefined, goneAt) }
}

export function decisionsOf(
  bot: BotRecord,
  plan: Plan,
  symbol: string,
  candles: Candles,
  from: number,
): Int8Array | Float64Array {
  const versions = bot.strategy === 'openai' ? ['openai'] : plan.versions.length === 0 ? ['current'] : plan.versions
  const saidAt = (ts: number) => versions.map((version) => invented(version, symbol, ts).forecast)
  const times = candles.ts.subarray(from)
  if (plan.targets !== undefined) {
    const volatilities =
      plan.targets.policy === 'model_brake' ? [Float64Array.from(times, (ts) => saidAt(ts)[0]!.volatility)] : []
    return targetColumn(plan.targets, candles, from, '1h', volatilities)
  }
  if (plan.rule !== undefined) {
    const of = (name: 'pUp' | 'volatility' | 'edgeBps') => times.map((ts) => saidAt(ts)[0]![name]!)
    const said = { pUp: of('pUp'), volatility: of('volatility'), edgeBps: of('edgeBps'), medians: [] }
    const forecasts = [{ ...said, signal: new Int8Array(times.length), confidence: of('pUp') }]
    return deciderOf(bot, plan).columns({ bot, plan, timeframe: '1h', candles, from, forecasts }).decisions
  }
  const known = bot.strategy === 'openai' ? { ...plan, requireEdge: false } : plan
  return Int8Array.from(times, (ts) => decisionOfSignal(decide(saidAt(ts), known).signal))
}

const told = ({
  symbol,
  side,
  entryTime,
  exitTime,
  entryPrice,
  exitPrice,
  quantity,
  netPnL,
  exitReason,
}: Omit<BotTrade, 'id'>) =>
  [symbol, side, entryTime, exitTime, entryPrice, exitPrice, quantity, netPnL, exitReason].join(' ')
const sorted = (trades: readonly Omit<BotTrade, 'id'>[]) => trades.map(told).sort()

const BOUNDARIES = ['decision', 'fill'].flatMap((doing) => POINTS.map((point) => `${doing}, ${point}`))
/** A process that stands still holds up the bots that it has locked for so long. */
const STILL_MS = 1000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Thirty-four bots of all kinds through `closes` candles, decided by two processes, of which one or the other is killed
 * (SIGKILL) `kills` times, at a boundary of a decision or a fill or at any moment, or stands still there for a while
 * (SIGSTOP), and begins again, sometimes not before the other one is dead too. In the end every candle is decided once, no
 * order is lost or doubled, the ledger, the accounts and the engine agree, and every bot has the trades of its backtest.
 * `ends` counts where they were killed,
 * `stills` how often one stood still.
 */
export async function soakBots(options: {
  db: Database
  seed: number
  closes: number
  kills: number
  say?: (text: string) => void
}): Promise<{
  closes: number
  kills: number
  stills: number
  ends: Map<string, number>
  trades: number
  wrong: string[]
}> {
  const { db, seed, closes, kills, say = () => undefined } = options
  const random = createRandom(seed)
  await db.pool.query('create table if not exists soak_clock (ms bigint)')
  await db.pool.query('delete from soak_clock')
  const startMs = START + BEFORE * HOUR + 60_000
  await db.pool.query('insert into soak_clock values ($1)', [startMs])
  const { series, market, tick } = await soakMarket(db, seed, closes)
  const room = createBotsBench(db, market)
  const ids: string[] = []
  for (const draft of KINDS) ids.push(await room.started(draft))

  const program = join(import.meta.dirname, 'bots-process.ts')
  const mortals = [0, 1].map(() => createMortal(program, [db.url, String(seed), String(closes)]))
  const killed = (): number => mortals.reduce((sum, { deaths }) => sum + deaths.length, 0)
  const threaten = async (): Promise<void> => {
    const mortal = mortals[random.below(2)]!
    const fated = mortals.filter((one) => one.isFated()).length
    if (killed() + fated >= kills || mortal.isFated() || !mortal.isAlive()) return
    if (random.next() < 0.1) {
      await pause(40 * random.next())
      await mortal.kill('at any moment')
    } else
      mortal.meet({
        point: BOUNDARIES[random.below(BOUNDARIES.length)]!,
        passes: random.below(3),
        signal: random.next() < 0.15 ? 'SIGSTOP' : 'SIGKILL',
      })
  }
  /** Lets the time go on, and waits until all is done that was due by then. */
  const goOn = async (ms: number, isDone: () => Promise<boolean>): Promise<void> => {
    if (random.next() < (1.5 * kills) / closes) await threaten()
    await db.pool.query('update soak_clock set ms = ms + $1', [ms])
    for (const mortal of mortals) if (!mortal.isAlive()) mortal.begin()
    let still = Date.now()
    while (!(await isDone())) {
      if (Date.now() - still > STILL_MS) {
        for (const mortal of mortals) mortal.wake()
        still = Date.now()
      }
      if (mortals.every((mortal) => !mortal.isAlive())) for (const mortal of mortals) mortal.begin()
      await pause(5)
    }
  }
  const noneIs = async (sql: string, ...values: unknown[]): Promise<boolean> =>
    (await db.pool.query(`${sql} limit 1`, values)).rows.length === 0
  const decided = (closedTs: number) => () =>
    noneIs(
      `select 1 from trading.bot_states s join trading.bots b on b.id = s.bot_id
       where b.status in ('active', 'paused') and s.decided_ts < $1`,
      closedTs,
    )
  const opened = () => noneIs('select 1 from trading.bot_watches where due')

  try {
    for (let i = 0; i < closes; i++) {
      await goOn(HOUR / 2, async () => true)
      await pause(30 * random.next())
      const isDecided = decided(START + (BEFORE + i) * HOUR)
      const waitsForFills = i < closes - 1 && random.next() < 0.5
      await goOn(HOUR / 2, async () => (await isDecided()) && (!waitsForFills || (await opened())))
      if (i % 20 === 19) say(`${i + 1} closes, ${killed()} kills`)
    }
    while (killed() < kills) {
      const mortal = mortals.find((one) => one.isAlive())
      if (mortal === undefined) break
      await mortal.kill('at any moment')
    }
  } finally {
    const ends = mortals.map((mortal) => mortal.deaths.length)
    for (const mortal of mortals) await mortal.kill('in the end')
    for (const [k, mortal] of mortals.entries()) mortal.deaths.length = ends[k]!
  }

  await tick()
  const wrong: string[] = []
  let trades = 0
  const lastTs = START + (BEFORE + closes - 1) * HOUR
  for (const [k, id] of ids.entries()) {
    const bot = await room.service.read(id, room.owner)
    const lived: BotTrade[] = []
    for (let before: number | undefined; ; before = lived.at(-1)!.exitTime + 1) {
      const known = new Set(lived.map((trade) => trade.id))
      const page = (await room.trading.trades(id, { before, limit: 1000 })).filter((trade) => !known.has(trade.id))
      if (page.length === 0) break
      lived.push(...page)
    }
    const { trades: tested, portfolio } = backtestOfBot(bot, series, START + BEFORE * HOUR, lastTs)
    trades += lived.length
    const name = `bot ${k} (${bot.strategy}, ${JSON.stringify(KINDS[k])})`
    if (bot.status === 'error') wrong.push(`${name}: ${bot.statusReason}`)
    if (sorted(lived).join('\n') !== sorted(tested).join('\n'))
      wrong.push(`${name}: ${lived.length} trades live, ${tested.length} in its backtest, not the same ones`)
    const state = (await room.trading.state(id))!
    if (state.portfolio.balance !== portfolio.balance)
      wrong.push(`${name}: a balance of ${state.portfolio.balance}, in its backtest ${portfolio.balance}`)
    const { balance } = await room.reads.balance(id, room.owner)
    if (Math.abs(balance - portfolio.balance) > 2e-8 + portfolio.balance * 1e-15)
      wrong.push(`${name}: its ledger has ${balance}, its account ${portfolio.balance}`)
    wrong.push(...(await ledgerOf(db, id)).map((text) => `${name}: ${text}`))
    const { rows } = await db.pool.query<{ n: number; candles: number }>(
      'select count(*)::int as n, count(distinct candle_ts)::int as candles from trading.bot_decisions where bot_id = $1',
      [id],
    )
    if (rows[0]!.candles !== closes || rows[0]!.n !== closes * bot.tradingPairs.length)
      wrong.push(`${name}: ${rows[0]!.n} decisions on ${rows[0]!.candles} of ${closes} candles`)
  }
  const ends = new Map<string, number>()
  for (const point of mortals.flatMap((mortal) => mortal.deaths)) ends.set(point, (ends.get(point) ?? 0) + 1)
  const stills = mortals.reduce((sum, mortal) => sum + mortal.stills.length, 0)
  return { closes, kills: killed(), stills, ends, trades, wrong }
}

/** What is wrong with the rows of a bot's ledger. */
async function ledgerOf(db: Database, botId: string): Promise<string[]> {
  const { rows } = await db.pool.query<{ ledger: string; balance: string; orders: number; fills: number }>(
    `select a.balance, (select sum(amount) from trading.ledger_entries e where e.account_id = a.id) as ledger,
       (select count(*)::int from trading.orders o where o.account_id = a.id) as orders,
       (select count(*)::int from trading.fills f where f.account_id = a.id) as fills
     from trading.accounts a where a.owner_id = $1`,
    [botId],
  )
  const { ledger, balance, orders, fills } = rows[0]!
  return [
    ...(ledger === balance ? [] : [`its ledger adds up to ${ledger}, its balance is ${balance}`]),
    ...(orders === fills ? [] : [`${orders} orders and ${fills} fills`]),
  ]
}
