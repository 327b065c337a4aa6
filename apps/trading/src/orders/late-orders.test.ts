import { eventually } from '@shapecast/platform/testing/eventually'
import { standStill } from '@shapecast/platform/testing/stand-still'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createAccountsBench } from '../../test/support/accounts-bench.ts'
import { call, type Person } from '../../test/support/service-bench.ts'
import { accountRoutes } from './routes.ts'

/** Far less than the 28 seconds of a service. */
const ANSWER_WITHIN_MS = 400
const bench = await createAccountsBench()
const app = bench.mount((service) => accountRoutes({ ...service, answerWithinMs: ANSWER_WITHIN_MS }, bench.room))
afterAll(() => bench.close())
let me: Person
beforeEach(async () => {
  me = await bench.newcomer()
})

const BUY = { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 1 }
const buy = (idempotencyKey?: string) => call(app, 'POST', '/api/order', { as: me, body: BUY, idempotencyKey })
const orders = async () => (await call(bench.app, 'GET', '/api/orders', { as: me })).body
const LATE = {
  status: 503,
  body: { code: 'unavailable', error: 'The database does not answer. Look whether it was done before you try again.' },
}
/** Nothing waits in the database any more. */
const settled = () =>
  eventually(async () => {
    const { rows } = await bench.db.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    )
    expect(rows).toEqual([])
  })

it('an order is answered with 503 in time while the database stands still, and is not placed once it goes on', async () => {
  const goOn = await standStill(bench.db)
  try {
    expect(await buy('late')).toMatchObject(LATE)
  } finally {
    goOn()
  }
  await settled()
  expect(await orders()).toEqual([])
  expect((await buy('late')).status).toBe(200)
  expect((await buy('late')).status).toBe(200)
  expect(await orders()).toHaveLength(1)
})

it('drops an order that waits for a lock longer than its caller does, with all that it wrote', async () => {
  await buy()
  const holder = await bench.db.pool.connect()
  await holder.query('begin; lock table trading.fills in exclusive mode')
  expect(await buy()).toMatchObject(LATE)
  await holder.query('commit')
  holder.release()
  await settled()
  expect(await orders()).toHaveLength(1)
})

it.each([
  [
    'read_only_sql_transaction',
    503,
    'database_read_only',
    'The database takes no changes just now: it is set to read only.',
  ],
  ['disk_full', 507, 'disk_full', 'The disk of the database is full.'],
  ['deadlock_detected', 503, 'database_busy', 'The database is busy with other work on the same.'],
  ['admin_shutdown', 503, 'unavailable', 'The database does not answer.'],
])('an order that the database refuses with %s is answered with %d', async (condition, status, code, why) => {
  await bench.db.pool.query(`
    create function trading.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'insides' using errcode = '${condition}'; end $$;
    create trigger refuse before insert on trading.orders for each row execute function trading.refuse()`)
  const answer = await buy()
  await bench.db.pool.query('drop function trading.refuse cascade')
  expect(answer).toMatchObject({
    status,
    body: { code, error: `${why} Look whether it was done before you try again.` },
    headers: { 'retry-after': '2' },
  })
  expect(await orders()).toEqual([])
})
