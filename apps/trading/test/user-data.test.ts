import { afterAll, expect, it } from 'vitest'
import { insertRule } from '../src/rules/rule-store.ts'
import { countTrials } from '../src/trials/trials.ts'
import { deleteUser, exportUser } from '../src/user-data.ts'
import { addJob } from './support/add-job.ts'
import { insertBot } from './support/insert-bot.ts'
import { createServiceBench } from './support/service-bench.ts'

const bench = await createServiceBench()
afterAll(() => bench.close())

const SECRET = 'never to leave'

/** An account with an order, keys, limits and a backtest; every text of it is `mark`, but for what is secret. */
async function fill(userId: string, mark: string): Promise<void> {
  const run = (sql: string, ...values: unknown[]) => bench.db.pool.query<{ id: string }>(sql, values)
  const { rows } = await run(
    `insert into trading.accounts (owner_kind, owner_id, venue, kind, created_at_ms)
     values ('user', $1, 'test', 'virtual', 0) returning id`,
    userId,
  )
  await run(
    `insert into trading.orders (account_id, client_order_id, symbol, side, type, status, quantity, source, key_mark,
       created_at_ms) values ($1, $2, $2, 'buy', 'limit', 'open', 1, 'user', $3, 0)`,
    rows[0]!.id,
    mark,
    SECRET,
  )
  await run(`insert into trading.exchange_keys values ($1, $2, 'testnet', $3, $3, $3, 0)`, userId, mark, SECRET)
  await run(`insert into trading.trading_limits values ($1, $2, 'testnet', 1, 1, 0)`, userId, mark)
  await addJob(bench.db, { kind: 'backtest', userId, status: 'failed', error: mark })
  await run(
    `insert into trading.backtest_runs (user_id, venue, symbol, timeframe, summary, created_at_ms)
     values ($1, 'test', $2, '1h', '{}', 0)`,
    userId,
    mark,
  )
  await run(
    `insert into trading.alerts (user_id, venue, rule, note, rest_minutes, is_on, created_at_ms)
     values ($1, 'test', '{}', $2, 60, true, 0)`,
    userId,
    mark,
  )
  await run(`insert into trading.watchlists values ($1, 'test', jsonb_build_array($2::text))`, userId, mark)
  await run(`insert into trading.chart_lines values ($1, 'test', $2, '[]')`, userId, mark)
  await insertRule(bench.db.orm, { userId, name: 'a rule', visibility: 'private', text: mark, savedAt: 0 })
  const series = { venue: 'test', symbols: [mark], timeframe: '1h' }
  await countTrials(bench.db.orm, { userId, series, kind: 'backtest', tried: {} })
}

/** A bot with an account of a kind. */
async function fillBot(userId: string, kind: 'real' | 'virtual'): Promise<void> {
  const id = await insertBot(bench.db, userId, { venue: 'test', isVirtual: kind === 'virtual' })
  await bench.db.pool.query(
    `insert into trading.accounts (owner_kind, owner_id, venue, kind, network, created_at_ms)
     values ('bot', $1, 'test', $2, $3, 0)`,
    [id, kind, kind === 'real' ? 'testnet' : null],
  )
}

it('a person gets what is their own and no secrets, and leaves nothing but the ledger behind', async () => {
  const { owner, other } = bench.users
  await fill(owner.userId, 'of the owner')
  await fill(other.userId, 'of somebody else')
  await fillBot(owner.userId, 'virtual')
  await fillBot(owner.userId, 'real')
  await fillBot(other.userId, 'virtual')
  const counts = async (userId: string) =>
    Object.entries(await exportUser(bench.db.orm, userId)).flatMap(([subject, rows]) =>
      (rows as unknown[]).length > 0 ? [subject] : [],
    )
  const text = JSON.stringify(await exportUser(bench.db.orm, owner.userId))
  expect(text.match(/of the owner/g)).toHaveLength(11)
  expect(text).not.toMatch(/never to leave|of somebody else/)
  const all = [
    'bots',
    'alerts',
    'accounts',
    'orders',
    'exchangeKeys',
    'tradingLimits',
    'watchlists',
    'chartLines',
    'backtestJobs',
    'backtestRuns',
    'trials',
    'rules',
    'ruleVersions',
  ]
  expect(await counts(owner.userId)).toEqual(all)
  await bench.db.orm.transaction((tx) => deleteUser(tx, owner.userId))
  expect(await counts(owner.userId)).toEqual(['accounts', 'orders'])
  const left = await bench.db.pool.query(`select kind from trading.accounts where owner_kind = 'bot' order by kind`)
  expect(left.rows.map(({ kind }) => kind)).toEqual(['real', 'virtual'])
  expect(await counts(other.userId)).toEqual(all)
})
