import { CANDLE_COLUMNS, type Candles, candlesFromRows, rowsFromCandles } from '@shapecast/engine/candles'
import type { LiveCandle } from '@shapecast/venues/live-venue'
import type pg from 'pg'
import { addToSeries, inTransaction, lockSeries, type SeriesName } from './import-store.ts'

/** What a write changed. */
export interface Written {
  /** Candles that were not there, oldest first. */
  readonly added: readonly number[]
  /** Open times of candles that were there with other values: the new ones hold now, the old ones are kept apart. */
  readonly revised: readonly number[]
  /** Open times of candles that were heard before what is stored, and differ from it: left as they are. */
  readonly outdated: readonly number[]
}
const NOTHING: Written = { added: [], revised: [], outdated: [] }

interface Row {
  readonly ts: number
  readonly heardMs: number
  readonly values: readonly [number, number, number, number, number]
}

/**
 * Stores closed candles of the venue, however often they come and in whatever order. `heardMs` says when the venue said
 * them (for its history: when it was asked), by its clock: one for all, or one each. A candle that is there with other
 * values is overwritten by one that was not heard before it, and the change written down. Known gaps that turn out to be
 * none are forgotten. One transaction.
 */
export async function writeCandles(
  pool: pg.Pool,
  name: SeriesName,
  candles: Candles,
  heardMs: number | readonly number[],
  alongside?: (client: pg.PoolClient) => Promise<void>,
): Promise<Written> {
  const rows = rowsOf(candles, heardMs)
  if (rows.length === 0 && alongside === undefined) return NOTHING
  return inTransaction(pool, async (client) => {
    const written = rows.length === 0 ? NOTHING : await write(client, name, rows)
    await alongside?.(client)
    await client.query('commit')
    return written
  })
}

/** Sorted and unique; of several with the same time the one that was heard last. */
function rowsOf(candles: Candles, heardMs: number | readonly number[]): Row[] {
  const byTime = new Map<number, Row>()
  for (const [i, [ts, ...values]] of rowsFromCandles(candles).entries()) {
    const row: Row = { ts, heardMs: typeof heardMs === 'number' ? heardMs : heardMs[i]!, values }
    const other = byTime.get(row.ts)
    if (other === undefined || row.heardMs >= other.heardMs) byTime.set(row.ts, row)
  }
  return [...byTime.values()].sort((a, b) => a.ts - b.ts)
}

async function write(client: pg.PoolClient, name: SeriesName, rows: readonly Row[]): Promise<Written> {
  const series = await lockSeries(client, name)
  const [first, last] = [rows[0]!.ts, rows.at(-1)!.ts]
  const atTheEnd = series.lastTs === null || first > series.lastTs
  const stored = atTheEnd ? new Map<number, Row>() : await storedBetween(client, series.id, first, last)
  const added = rows.filter((row) => !stored.has(row.ts))
  const differing = rows.filter((row) => stored.get(row.ts)?.values.some((value, i) => value !== row.values[i]))
  const isOutdated = (row: Row) => row.heardMs < stored.get(row.ts)!.heardMs
  const revised = differing.filter((row) => !isOutdated(row))
  if (added.length > 0) await add(client, series.id, name, added)
  if (revised.length > 0) await revise(client, series.id, revised, stored)
  const touchesThePast = revised.length > 0 || (added.length > 0 && !atTheEnd)
  if (touchesThePast) await client.query('update trading.series set revision = revision + 1 where id = $1', [series.id])
  const timesOf = (some: readonly Row[]) => some.map((row) => row.ts)
  return { added: timesOf(added), revised: timesOf(revised), outdated: timesOf(differing.filter(isOutdated)) }
}

async function storedBetween(client: pg.PoolClient, id: number, first: number, last: number) {
  const { rows } = await client.query<[number, number, number, number, number, number, number]>({
    text: `select ts, heard_ms, open, high, low, close, volume from trading.candles where series_id = $1 and ts between $2 and $3`,
    values: [id, first, last],
    rowMode: 'array',
  })
  return new Map(rows.map(([ts, heardMs, ...values]): [number, Row] => [ts, { ts, heardMs, values }]))
}

const columnsOf = (rows: readonly Row[]): unknown[] => [
  rows.map((row) => row.ts),
  ...[0, 1, 2, 3, 4].map((c) => rows.map((row) => row.values[c])),
  rows.map((row) => row.heardMs),
]
const INCOMING = `unnest($2::bigint[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[],
  $8::bigint[]) as i (ts, open, high, low, close, volume, heard_ms)`

async function add(client: pg.PoolClient, id: number, { timeframe }: SeriesName, rows: readonly Row[]): Promise<void> {
  const [first, last] = [rows[0]!.ts, rows.at(-1)!.ts]
  await addToSeries(client, id, timeframe, { added: rows.length, first, last }, () =>
    client.query(
      `insert into trading.candles (series_id, ts, open, high, low, close, volume, heard_ms) select $1, i.* from ${INCOMING}`,
      [id, ...columnsOf(rows)],
    ),
  )
  await client.query(
    `delete from trading.known_gaps g where g.series_id = $1 and g.from_ts <= $3 and g.to_ts >= $2
     and exists (select 1 from unnest($4::bigint[]) as t (ts) where t.ts between g.from_ts and g.to_ts)`,
    [id, first, last, rows.map((row) => row.ts)],
  )
}

async function revise(
  client: pg.PoolClient,
  id: number,
  revised: readonly Row[],
  stored: ReadonlyMap<number, Row>,
): Promise<void> {
  await client.query(
    `update trading.candles c set open = i.open, high = i.high, low = i.low, close = i.close, volume = i.volume,
     heard_ms = i.heard_ms from ${INCOMING} where c.series_id = $1 and c.ts = i.ts`,
    [id, ...columnsOf(revised)],
  )
  for (const row of revised)
    await client.query(
      'insert into trading.candle_revisions (series_id, ts, before, after, at_ms) values ($1, $2, $3, $4, $5)',
      [id, row.ts, stored.get(row.ts)!.values, row.values, row.heardMs],
    )
}

/** Rows of a single candle as columns. */
export function candlesOf(rows: readonly LiveCandle[]): Candles {
  return candlesFromRows(rows.map((row) => CANDLE_COLUMNS.map((name) => row[name])))
}
