import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BotTrade } from '@shapecast/contracts/bot-trading'
import { type Bot, type BotDraft, ConsensusConfig } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import { decisionOfSignal } from '@shapecast/engine/decisions'
import type { EngineTrade } from '@shapecast/engine/journal'
import { decide, type Plan, planOf } from '@shapecast/engine/plan'
import { targetColumn } from '@shapecast/engine/policies/targets'
import { type PairRun, runPortfolio } from '@shapecast/engine/portfolio'
import { createRandom } from '@shapecast/engine/random'
import { generateCandles } from '@shapecast/ml/generated-candles'
import type { Database } from '@shapecast/platform/database/database'
import { rulesOf } from '../advance-bot.ts'
import { createBotsBench, invented, scriptedMarket } from './bots-bench.ts'

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
  }
  await tick()
  return { series, market, tick }
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

/** One of each kind of bot, thirty in all. */
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
  ...(['steady_risk', 'trend_steady_risk', 'fixed_share', 'model_brake'] as const).map((policy) =>
    ml({ marketType: 'spot', parameters: { policy } }),
  ),
  ml({ tradingPairs: SYMBOLS }),
  ml({ tradingPairs: SYMBOLS, marketType: 'spot', parameters: { policy: 'fixed_share' } }),
]

/** What a backtest makes of the candles from `fromTs` to `toTs`, pair by pair. */
export function backtestOfBot(bot: Bot, series: ReadonlyMap<string, Candles>, fromTs: number, toTs: number) {
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
      return [symbol, { candles: sliceCandles(all, from), decisions, rules: rulesOf(plan, '1h', RULES), journal }]
    }),
  )
  return { trades, portfolio: runPortfolio(bot.initialBalance, runs) }
}

function decisionsOf(bot: Bot, plan: Plan, symbol: string, candles: Candles, from: number): Int8Array | Float64Array {
  const versions = bot.strategy === 'openai' ? ['openai'] : plan.versions.length === 0 ? ['current'] : plan.versions
  const saidAt = (ts: number) => versions.map((version) => invented(version, symbol, ts).forecast)
  const times = candles.ts.subarray(from)
  if (plan.targets !== undefined) {
    const volatilities =
      plan.targets.policy === 'model_brake' ? [Float64Array.from(times, (ts) => saidAt(ts)[0]!.volatility)] : []
    return targetColumn(plan.targets, candles, from, '1h', volatilities)
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

/**
 * Thirty bots of all kinds through `closes` candles, decided by two processes of which one or the other is killed
 * (SIGKILL) at random moments, `kills` times in all, and started again. In the end every candle is decided once, no order
 * is lost or doubled, the ledger, the accounts and the engine agree, and every bot has the trades of its backtest.
 */
export async function soakBots(options: {
  db: Database
  seed: number
  closes: number
  kills: number
  say?: (text: string) => void
}): Promise<{ closes: number; kills: number; bots: number; trades: number; wrong: string[] }> {
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

  const children: ChildProcess[] = []
  const begin = (k: number): void => {
    const program = join(import.meta.dirname, 'bots-process.ts')
    children[k] = spawn(process.execPath, [program, db.url, String(seed), String(closes)], { stdio: 'inherit' })
  }
  const settled = async (closedTs: number): Promise<void> => {
    for (;;) {
      const { rows } = await db.pool.query<{ n: number }>(
        `select count(*)::int as n from trading.bot_states s join trading.bots b on b.id = s.bot_id
         where b.status in ('active', 'paused') and s.decided_ts < $1`,
        [closedTs],
      )
      if (rows[0]!.n === 0) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  let killed = 0
  begin(0)
  begin(1)
  try {
    for (let i = 0; i < closes; i++) {
      await db.pool.query('update soak_clock set ms = ms + $1', [HOUR])
      while (killed < kills && random.next() < (kills / closes) * 1.2) {
        const k = random.below(2)
        await new Promise((resolve) => setTimeout(resolve, 40 * random.next()))
        const ended = once(children[k]!, 'exit')
        children[k]!.kill('SIGKILL')
        await ended
        killed++
        begin(k)
      }
      await settled(START + (BEFORE + i) * HOUR)
      if (i % 100 === 99) say(`${i + 1} closes, ${killed} kills`)
    }
  } finally {
    for (const child of children) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
  }

  await tick()
  const wrong: string[] = []
  let trades = 0
  const lastTs = START + (BEFORE + closes - 1) * HOUR
  for (const [k, id] of ids.entries()) {
    const bot = await room.desk.read(id, room.owner)
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
    if (Math.abs(bot.currentBalance - portfolio.balance) > 2e-8 + portfolio.balance * 1e-15)
      wrong.push(`${name}: its ledger has ${bot.currentBalance}, its account ${portfolio.balance}`)
    wrong.push(...(await booksOf(db, id)).map((text) => `${name}: ${text}`))
    const { rows } = await db.pool.query<{ n: number; candles: number }>(
      'select count(*)::int as n, count(distinct candle_ts)::int as candles from trading.bot_decisions where bot_id = $1',
      [id],
    )
    if (rows[0]!.candles !== closes || rows[0]!.n !== closes * bot.tradingPairs.length)
      wrong.push(`${name}: ${rows[0]!.n} decisions on ${rows[0]!.candles} of ${closes} candles`)
  }
  return { closes, kills: killed, bots: ids.length, trades, wrong }
}

/** What is wrong with the rows of a bot's books. */
async function booksOf(db: Database, botId: string): Promise<string[]> {
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
