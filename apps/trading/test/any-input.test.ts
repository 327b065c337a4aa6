import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { endpointsOf } from '@shapecast/contracts/table'
import {
  refusalComplaint,
  type Sent,
  sent,
  soundParts,
  spoiledRequests,
} from '@shapecast/platform/testing/spoiled-requests'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryVenue } from './support/memory-venue.ts'
import type { Person } from './support/service-bench.ts'
import { addQuickModel, MODEL_CANDLES } from './support/small-model.ts'
import { wholeService } from './support/whole-service.ts'

/** Generated requests to every endpoint: each is answered as the contract says, and a refused one leaves nothing behind. */
const RUNS = Number(process.env.RUNS ?? 3)
const ABSENT = '01890000-0000-7000-8000-000000000000'

const { app, db, users } = await wholeService({ venue: memoryVenue({ 'BTCUSDT 1h': MODEL_CANDLES }) })
const id = await addQuickModel(db, 'v3', 'BTCUSDT', MODEL_CANDLES)
const known = {
  id,
  version: 'v3',
  versions: ['v3', 'v4'],
  symbol: 'BTCUSDT',
  timeframe: '1h',
  limit: 300,
  from: MODEL_CANDLES.ts[100],
  to: MODEL_CANDLES.ts[600],
  stage: 'staging',
  side: 'buy',
  type: 'limit',
  price: 1,
  amount: 0.01,
  name: 'A bot',
  ids: ABSENT,
  mode: 'model',
  mlModelVersion: 'v3',
  apiKey: 'a key of an exchange',
  secret: 'and its secret',
}

/** How many rows each table has, but for what is noted or kept on the side: looks at series, forecasts worked out. */
async function rowCounts(): Promise<unknown> {
  const { pool } = db
  rowCountsSql ??= (
    await pool.query<{ sql: string }>(
      `select string_agg(format('select %L as t, count(*)::int as n from %I.%I', table_name, table_schema, table_name),
       ' union all ' order by table_schema, table_name) as sql from information_schema.tables
       where table_schema in ('trading', 'platform') and table_type = 'BASE TABLE' and table_name not in ('series_use', 'predictions')`,
    )
  ).rows[0]!.sql
  return (await pool.query(rowCountsSql)).rows
}
let rowCountsSql: string | undefined

let countedLast: unknown = null

/** Null, or what is wrong with the answer. */
async function complaintOf(endpoint: AnyEndpoint, request: Sent, as: Person): Promise<unknown> {
  const before = countedLast ?? (await rowCounts())
  countedLast = null
  const headers = { ...request.headers, authorization: `Bearer ${as.token}` }
  const reply = await app.inject({ ...request, headers })
  if (reply.statusCode < 400) return null
  const complaint = refusalComplaint(endpoint, reply.statusCode, reply.body)
  if (complaint !== null) return complaint
  const after = await rowCounts()
  countedLast = after
  return JSON.stringify(before) === JSON.stringify(after) ? null : ['refused and yet done', reply.body, before, after]
}

const asked = endpointsOf('trading').filter(([, endpoint]) => endpoint.replyKind !== 'events')

describe.each(asked.map(([name, endpoint]) => ({ name, endpoint })))('$name', ({ name, endpoint }) => {
  it('answers whatever is sent, and does nothing by halves', async () => {
    // Nothing works off a backtest here: one that is waited for would be so for 25 seconds.
    const parts = soundParts(endpoint, name === 'runBacktest' ? { ...known, mlModelVersion: 'untrained' } : known)
    const paths = [endpoint.path, endpoint.publicPath].filter((path) => path !== undefined)
    const requests = fc.oneof(...paths.map((path) => spoiledRequests(endpoint, path, parts)))
    const askers = fc.constantFrom('owner' as const, 'admin' as const)
    for (const path of paths) expect(await complaintOf(endpoint, sent(endpoint, path, parts), users.admin)).toBeNull()
    await fc.assert(
      fc.asyncProperty(requests, askers, async (request, person) => {
        expect(await complaintOf(endpoint, request, users[person])).toBeNull()
      }),
      { numRuns: RUNS },
    )
  })
})
