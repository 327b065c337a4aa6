import { brotliCompressSync } from 'node:zlib'
import { endpointsOf } from '@shapecast/contracts/table'
import { candlesFromRows } from '@shapecast/engine/candles'
import { recordAudit } from '@shapecast/platform/audit'
import { expect, it } from 'vitest'
import { memoryVenue } from './support/memory-venue.ts'
import { SAMPLE_DETAIL, SAMPLE_RUN } from './support/sample-run.ts'
import type { Person } from './support/service-bench.ts'
import { wholeService } from './support/whole-service.ts'

const venue = memoryVenue({ 'BTCUSDT 1h': candlesFromRows([[0, 100, 100, 100, 100, 1]]) })
const { app, db, users } = await wholeService({ venue, prefix: '' })

const MARK = 'known to nobody else'

/** Virtual and real orders, a decision and the audit of all of it, as they stand in the tables; their ids. */
async function ordersOf({ userId }: Person): Promise<string[]> {
  const one = async (sql: string, values: unknown[]): Promise<string> =>
    (await db.pool.query<{ id: string }>(`${sql} returning id`, values)).rows[0]!.id
  const opened = (kind: string, network: string | null) =>
    one(
      `insert into trading.accounts (owner_kind, owner_id, venue, kind, network, created_at_ms)
       values ('user', $1, 'replay', $2, $3, 0)`,
      [userId, kind, network],
    )
  const account = await opened('virtual', null)
  const virtual = await one(
    `insert into trading.orders (account_id, client_order_id, symbol, side, type, status, status_reason, quantity,
       reserved, source, placed_market_ms, created_at_ms, closed_at_ms)
     values ($1, 'v', 'BTCUSDT', 'buy', 'market', 'cancelled', $2, 1, 0, 'user', 0, 0, 0)`,
    [account, MARK],
  )
  const real = await one(
    `insert into trading.orders (account_id, key_mark, client_order_id, symbol, side, type, status,
       status_reason, quantity, filled, source, created_at_ms, looks)
     values ($1, 'm', 'r', 'BTCUSDT', 'buy', 'limit', 'open', $2, 1, 0, 'user', 0, 0)`,
    [await opened('real', 'testnet'), MARK],
  )
  const decision = await one(
    `insert into trading.auto_trade_decisions (account_id, symbol, timeframe, candle_ts, prediction, amount,
       enable_stop_loss, action, reason, at_ms) values ($1, 'BTCUSDT', '1h', 0, '{}', 1, true, 'none', $2, 0)`,
    [account, MARK],
  )
  for (const action of ['order.placed', 'order.filled', 'auto_trade.decided', 'trading_limits.changed'])
    await recordAudit(
      db.orm,
      { userId, address: 'here' },
      {
        action,
        subject: { type: 'order', id: real },
        after: { reason: MARK },
      },
    )
  return [account, virtual, real, decision, userId]
}

const read = (url: string, as: Person | null) =>
  app.inject({ url, headers: as === null ? {} : { authorization: `Bearer ${as.token}` } })

/** Asks every address that is read, of every one of the ids, as each of these people: how often. None is told the mark. */
async function readEverywhere(ids: readonly string[], who: readonly (Person | null)[]): Promise<number> {
  let asked = 0
  for (const [name, { method, path, publicPath, replyKind }] of endpointsOf('trading')) {
    if (method !== 'GET' || replyKind === 'events') continue
    for (const address of [path, ...(publicPath === undefined ? [] : [publicPath])])
      for (const id of address.includes('/:') ? ids : [''])
        for (const person of who) {
          const url = address.replace(':symbol', 'BTCUSDT').replace(/:\w+/g, id)
          const { body } = await read(`${url}?symbol=BTCUSDT&ids=${ids.join()}`, person)
          expect(body.includes(MARK), `${name} ${url} as ${person?.role}`).toBe(false)
          asked++
        }
  }
  return asked
}

it('orders, decisions and what the audit says of them are read by their owner alone, at no address by others', async () => {
  const { owner, other, manager, admin } = users
  const ids = await ordersOf(owner)
  expect(JSON.parse((await read('/api/orders', owner)).body).data).toMatchObject([
    { statusReason: MARK },
    { statusReason: MARK },
  ])
  const asked = await readEverywhere(ids, [other, manager, admin, null])
  for (const id of ids)
    for (const person of [other, manager, admin])
      expect(
        (
          await app.inject({
            method: 'DELETE',
            url: `/api/orders/${id}`,
            headers: { authorization: `Bearer ${person.token}` },
          })
        ).statusCode,
      ).toBe(404)
  expect(asked).toBeGreaterThan(100)
})

it('what a private bot did, its orders and the runs of it are read by its owner and admins, at no address by others', async () => {
  const { owner, other, manager, admin } = users
  const draft = { name: MARK, tradingPairs: ['BTCUSDT'], initialBalance: 1000, parameters: { policy: 'fixed_share' } }
  const headers = { authorization: `Bearer ${owner.token}` }
  const made = await app.inject({ method: 'POST', url: '/api/bots', headers, payload: draft })
  const { botId } = made.json().data
  const insert = async (sql: string, values: unknown[]): Promise<string> =>
    (await db.pool.query<{ id: string }>(`${sql} returning id`, values)).rows[0]!.id
  const accounts = await db.pool.query<{ id: string }>('select id from trading.accounts where owner_id = $1', [botId])
  const order = await insert(
    `insert into trading.orders (account_id, client_order_id, symbol, side, type, status, status_reason, quantity,
       reserved, source, placed_market_ms, created_at_ms, closed_at_ms)
     values ($1, 'b', 'BTCUSDT', 'buy', 'market', 'cancelled', $2, 1, 0, 'bot', 0, 0, 0)`,
    [accounts.rows[0]!.id, MARK],
  )
  await insert(
    `insert into trading.bot_decisions (bot_id, symbol, candle_ts, votes, rule, signal, action, reason, decided_at_ms)
     values ($1, 'BTCUSDT', 0, '[]', '"policy"', 'HOLD', 'none', $2, 0)`,
    [botId, MARK],
  )
  const run = await insert(
    `insert into trading.backtest_runs (user_id, bot_id, venue, symbol, timeframe, summary, created_at_ms)
     values ($1, $2, $3, 'BTCUSDT', '1h', $4, 0)`,
    [
      owner.userId,
      botId,
      'test',
      { ...SAMPLE_RUN, params: { ...SAMPLE_RUN.params, mode: 'bot', botId, botName: MARK } },
    ],
  )
  await db.pool.query('insert into trading.backtest_run_details (run_id, bytes) values ($1, $2)', [
    run,
    brotliCompressSync(JSON.stringify({ ...SAMPLE_DETAIL, note: MARK })),
  ])
  const ids = [botId, order, run, accounts.rows[0]!.id]
  expect(await readEverywhere(ids, [other, manager, null])).toBeGreaterThan(100)
  for (const person of [owner, admin])
    for (const url of [`/api/bots/${botId}`, `/api/bots/${botId}/orders`, `/api/backtest/runs/${run}`])
      expect([url, (await read(url, person)).body.includes(MARK)]).toEqual([url, true])
})
