import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { pruneHistory } from '../src/prune-history.ts'
import { insertBot } from './support/insert-bot.ts'
import { createServiceBench } from './support/service-bench.ts'

const HOUR = 3_600_000
const NOON = 12 * HOUR
let all: (sql: string, ...values: unknown[]) => Promise<Record<string, string>[]>
const bench = await createServiceBench()
all = async (sql, ...values) => (await bench.db.pool.query(sql, values)).rows
afterAll(() => bench.close())

/** A bot that has decided the candles 0 to `newest`, each with a trade. */
async function botOf(timeframe: string, stepMs: number, newest: number): Promise<string> {
  const id = await insertBot(bench.db, randomUUID(), { status: 'active' })
  await all(
    `insert into trading.bot_states (bot_id, timeframe, decided_ts, portfolio, worst_drawdown_pct)
     values ($1, $2, $3, '{}', 0)`,
    id,
    timeframe,
    newest * stepMs,
  )
  await all(
    `insert into trading.bot_decisions (bot_id, symbol, candle_ts, votes, rule, signal, action, reason, decided_at_ms)
     select $1, 'BTCUSDT', n * $2::bigint, '[]', 'signal', 'HOLD', 'held', '', 0 from generate_series(0, $3::int) n`,
    id,
    stepMs,
    newest,
  )
  await all(
    `insert into trading.bot_equity (bot_id, at_ms, equity)
     select $1, (n + 1) * $2::bigint, 1 from generate_series(0, $3::int) n`,
    id,
    stepMs,
    newest,
  )
  await all(
    `insert into trading.bot_trades (bot_id, symbol, side, entry_time_ms, exit_time_ms, entry_price, exit_price, quantity,
       net_pnl, fees, funding, exit_reason)
     select $1, 'BTCUSDT', 'long', 0, n * $2::bigint, 1, 1, 1, 0, 0, 0, 'signal' from generate_series(0, $3::int) n`,
    id,
    stepMs,
    newest,
  )
  return id
}

const left = async (botId: string) => {
  const [row] = await all(
    `select (select count(*)::int from trading.bot_decisions where bot_id = $1) as decisions,
       (select min(candle_ts)::float8 from trading.bot_decisions where bot_id = $1) as oldest,
       (select count(*)::int from trading.bot_trades where bot_id = $1) as trades`,
    botId,
  )
  return row
}

it('pruning keeps the decisions of each bot’s newest candles and all trades', async () => {
  const hourly = await botOf('1h', HOUR, 99)
  const quarters = await botOf('15m', HOUR / 4, 25_000)
  expect(await pruneHistory(bench.db, 60)).toBeGreaterThan(0)
  expect(await left(hourly)).toEqual({ decisions: 60, oldest: 40 * HOUR, trades: 100 })
  expect(await left(quarters)).toEqual({ decisions: 60, oldest: 24_941 * (HOUR / 4), trades: 25_001 })
  expect(await pruneHistory(bench.db, 60)).toBe(0)
})

it('pruning keeps the last point of each UTC day of older equity', async () => {
  const id = await botOf('1h', HOUR, 99)
  await pruneHistory(bench.db, 12)
  const points = await all('select at_ms from trading.bot_equity where bot_id = $1 order by at_ms', id)
  const hours = points.map(({ at_ms }) => Number(at_ms) / HOUR)
  expect(hours).toEqual([24, 48, 72, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100])
})

it('pruning keeps the chart forecasts of each model’s newest candles', async () => {
  const artifact = randomUUID()
  await all(`insert into trading.models (version, stage, created_at_ms) values ('v7', 'production', 0)`)
  await all(
    `insert into trading.artifacts (id, version, venue, symbol, timeframe, hash, card, bytes, active, origin, shown, created_at_ms)
     values ($1, 'v7', 'replay', 'BTCUSDT', '1h', 'x', '{}', '', false, 'trained', '{}', 0)`,
    artifact,
  )
  await all(
    `insert into trading.predictions (artifact_id, ts, candle_check, signal, confidence, price, lstm, transformer,
       stop_loss, edge_bps, made_at_ms)
     select $1, $2::bigint + n * ${HOUR}, 0, 0, 0, 0, 0, 0, 0, 0, 0 from generate_series(0, 99) n`,
    artifact,
    NOON,
  )
  expect(await pruneHistory(bench.db, 30)).toBeGreaterThanOrEqual(70)
  const [row] = await all('select count(*)::int as n, min(ts)::float8 as oldest from trading.predictions')
  expect(row).toEqual({ n: 30, oldest: NOON + 70 * HOUR })
})
