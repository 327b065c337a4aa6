/**
 * One close with N active virtual bots: 20 symbols, five models that are made up and cost nothing, one bot in five an
 * ensemble of three, one in ten with three pairs, one in ten on a policy. Everything that a close writes is written: what
 * is left out is the models' own time.
 *
 *   node bench/bots.ts [bots=1000] [closes=3]
 *
 * Prints the seconds of each close, its statements a bot and the memory after it; in the end `N bots: S s` (the median).
 */

import type { BotDraft } from '@shapecast/contracts/bots'
import type { Candles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { createBotsBench, scriptedMarket } from '@shapecast/trading/test/support/bots-bench'
import { withBenchDatabase } from './lib/bench-database.ts'
import { median } from './lib/rounds.ts'

const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)
const BOTS = Number(process.argv[2] ?? 1000)
const CLOSES = Number(process.argv[3] ?? 3)
const SYMBOLS = Array.from({ length: 20 }, (_, i) => `C${i}USDT`)

const choicesOf = (i: number): Partial<BotDraft> => {
  const symbol = SYMBOLS[i % SYMBOLS.length]!
  const common = { tradingPairs: [symbol], initialBalance: 10_000, positionSize: 0.05, maxDrawdown: 50 }
  const one = { ...common, mlModelVersion: `v${i % 5}`, marketType: 'futures' as const, leverage: 3, stopLossPct: 2 }
  if (i % 10 === 3) return { ...one, tradingPairs: [0, 7, 13].map((k) => SYMBOLS[(i + k) % SYMBOLS.length]!) }
  if (i % 10 === 7) return { ...common, mlModelVersion: 'v1', parameters: { policy: 'fixed_share' as const } }
  return i % 5 === 1 ? { ...one, mlModelVersion: undefined, mlModelVersions: ['v0', 'v1', 'v2'] } : one
}

await withBenchDatabase(async ({ db }) => {
  const series = new Map<string, Candles>(
    SYMBOLS.map((symbol, i) => [symbol, generateCandles({ candles: 200 + CLOSES, seed: i, startMs: START })]),
  )
  let statements = 0
  const counted = new WeakSet<object>()
  db.pool.on('acquire', (client) => {
    if (counted.has(client)) return
    counted.add(client)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((...given: unknown[]) => {
      statements++
      return query(...given)
    }) as typeof client.query
  })
  const market = scriptedMarket(series)
  market.nowMs = START + 150 * HOUR
  const room = createBotsBench(db, market)
  for (let i = 0; i < BOTS; i++) {
    // A user has at most 200.
    room.owner.userId = `01890000-0000-7000-8000-${String(Math.floor(i / 200)).padStart(12, '0')}`
    await room.started(choicesOf(i))
  }
  const seconds: number[] = []
  for (let i = 0; i < CLOSES; i++) {
    market.nowMs += HOUR
    statements = 0
    const before = process.hrtime.bigint()
    await room.runtime.catchUp()
    seconds.push(Number(process.hrtime.bigint() - before) / 1e9)
    const memory = Math.round(process.memoryUsage().rss / 2 ** 20)
    if (CLOSES <= 24 || i % 24 === 23)
      console.log(
        `close ${i + 1}: ${seconds.at(-1)!.toFixed(2)} s, ${(statements / BOTS).toFixed(3)} statements a bot, ${memory} MB`,
      )
  }
  const { rows } = await db.pool.query<{ decisions: string; trades: string; active: string }>(
    `select (select count(*) from trading.bot_decisions) as decisions, (select count(*) from trading.bot_trades) as trades,
      (select count(*) from trading.bots where status = 'active') as active`,
  )
  const { decisions, trades, active } = rows[0]!
  console.log(`${decisions} decisions, ${trades} trades, ${active} bots active`)
  console.log(`${BOTS} bots: ${median(seconds).toFixed(2)} s`)
})
