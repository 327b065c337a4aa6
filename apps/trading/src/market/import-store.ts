import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { Orm } from '@shapecast/platform/database/database'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { COPY_END, COPY_START, encodeRows } from './candle-copy.ts'
import type { series } from './tables.ts'

/** Begins a transaction for `work`, which ends it; rolls it back where that throws. A connection that cannot is dropped. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    return await work(client)
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

export interface SeriesName {
  readonly venue: string
  readonly symbol: string
  readonly timeframe: Timeframe
}

/** One value that the database has otherwise than the file. */
export interface Difference {
  readonly ts: number
  readonly storedClose: number
  readonly newClose: number
}

export interface Stored {
  /** Candles that are new. */
  readonly taken: number
  readonly alreadyStored: number
  /** Candles that were there with other values: overwritten where asked for, else the reason why nothing was stored. */
  readonly differing: number
  readonly firstDifference: Difference | null
}

/** The candles to store, in batches; gives back whether they are to be kept at all. */
export type CandleProducer = (sink: (candles: Candles) => Promise<void>) => Promise<{
  keep: boolean
  gapCount: number
  ascending: boolean
}>

const COLUMNS = 'ts, open, high, low, close, volume'
const differs = (a: string, b: string) =>
  `(${['open', 'high', 'low', 'close', 'volume'].map((c) => `${a}.${c} <> ${b}.${c}`).join(' or ')})`

export interface StoreWork {
  /** Overwrite stored candles that differ. */
  readonly replace: boolean
  readonly produce: CandleProducer
  /** Called in the transaction where it changes something. */
  readonly changed?: (orm: Orm, stored: Stored) => Promise<void>
}

/**
 * Stores what `produce` hands on, in one transaction: all of it, or nothing. Where it is not to be kept, or differs from
 * what is there and `replace` is not set, nothing is changed. A crash at any moment leaves nothing behind.
 */
export function storeCandles(pool: pg.Pool, name: SeriesName, work: StoreWork): Promise<Stored | null> {
  const { replace } = work
  return inTransaction(pool, async (client) => {
    await client.query(`create temporary table incoming (ts bigint not null, open double precision not null,
      high double precision not null, low double precision not null, close double precision not null,
      volume double precision not null) on commit drop`)
    const produced = await copyIn(client, work.produce)
    const stored = produced.keep ? await merge(client, name, replace, produced) : null
    const keep = stored !== null && (stored.differing === 0 || replace)
    if (keep && stored.taken + stored.differing > 0) await work.changed?.(drizzle({ client }), stored)
    await client.query(keep ? 'commit' : 'rollback')
    return stored
  })
}

async function copyIn(client: pg.PoolClient, produce: CandleProducer) {
  const stream = client.query(copyFrom(`copy incoming (${COLUMNS}) from stdin (format binary)`))
  const done = finished(stream)
  // The error is thrown where it is awaited; until then it must not count as unhandled.
  done.catch(() => {})
  try {
    stream.write(COPY_START)
    const produced = await produce(async (candles) => {
      if (!stream.write(encodeRows(candles))) await Promise.race([once(stream, 'drain'), done])
    })
    stream.end(COPY_END)
    await done
    return produced
  } catch (error) {
    stream.destroy()
    await done.catch(() => {})
    throw error
  }
}

type Before = Pick<typeof series.$inferSelect, 'id' | 'candles' | 'lastTs'>

async function merge(
  client: pg.PoolClient,
  name: SeriesName,
  replace: boolean,
  produced: { gapCount: number; ascending: boolean },
): Promise<Stored> {
  const before = await lockSeries(client, name)
  const { rows: incoming } = await client.query<{ n: number; first: number; last: number }>(
    'select count(*) as n, min(ts) as first, max(ts) as last from incoming',
  )
  const { n: total, first, last } = incoming[0]!
  const order = produced.ascending ? '' : 'order by ts'
  if (before.candles === 0) {
    await client.query(
      `insert into trading.candles (series_id, ${COLUMNS}) select ${before.id}, ${COLUMNS} from incoming ${order}`,
    )
    await client.query(
      'update trading.series set candles = $2, first_ts = $3, last_ts = $4, gap_count = $5, revision = revision + 1 where id = $1',
      [before.id, total, first, last, produced.gapCount],
    )
    return { taken: total, alreadyStored: 0, differing: 0, firstDifference: null }
  }

  const { rows: overlap } = await client.query<{ alreadyStored: number; differing: number }>(
    `select count(*) filter (where not ${differs('c', 'i')}) as "alreadyStored", count(*) filter (where ${differs('c', 'i')}) as differing
     from incoming i join trading.candles c on c.series_id = $1 and c.ts = i.ts where c.ts between $2 and $3`,
    [before.id, first, last],
  )
  const { differing, alreadyStored } = overlap[0]!
  const taken = total - differing - alreadyStored
  const stored = {
    taken,
    alreadyStored,
    differing,
    firstDifference: await firstDifference(client, before.id, differing),
  }
  if (differing > 0 && !replace) return stored

  if (differing > 0)
    await client.query(
      `update trading.candles c set open = i.open, high = i.high, low = i.low, close = i.close, volume = i.volume
       from incoming i where c.series_id = $1 and c.ts = i.ts and ${differs('c', 'i')}`,
      [before.id],
    )
  if (taken > 0)
    await addToSeries(client, before.id, name.timeframe, { added: taken, first, last }, () =>
      client.query(
        `insert into trading.candles (series_id, ${COLUMNS}) select ${before.id}, ${COLUMNS} from incoming ${order}
         on conflict do nothing`,
      ),
    )
  const touchesThePast = differing > 0 || (taken > 0 && first <= before.lastTs!)
  if (touchesThePast) await client.query('update trading.series set revision = revision + 1 where id = $1', [before.id])
  return stored
}

/** The row of a series, made if there is none, locked to the end of the transaction. */
export async function lockSeries(client: pg.PoolClient, { venue, symbol, timeframe }: SeriesName): Promise<Before> {
  const key = [venue, symbol, timeframe]
  await client.query(
    'insert into trading.series (venue, symbol, timeframe) values ($1, $2, $3) on conflict do nothing',
    key,
  )
  const { rows } = await client.query<Before>(
    `select id, candles, last_ts as "lastTs" from trading.series
     where venue = $1 and symbol = $2 and timeframe = $3 for update`,
    key,
  )
  return rows[0]!
}

async function firstDifference(client: pg.PoolClient, id: number, differing: number): Promise<Difference | null> {
  if (differing === 0) return null
  const { rows } = await client.query<Difference>(
    `select c.ts, c.close as "storedClose", i.close as "newClose" from incoming i
     join trading.candles c on c.series_id = $1 and c.ts = i.ts where ${differs('c', 'i')} order by c.ts limit 1`,
    [id],
  )
  return rows[0]!
}

/** Inserts candles into a series, `added` of them between `first` and `last`, and counts them and its gaps. */
export async function addToSeries(
  client: pg.PoolClient,
  id: number,
  timeframe: Timeframe,
  { added, first, last }: { added: number; first: number; last: number },
  insert: () => Promise<unknown>,
): Promise<void> {
  // Only the stretch between the stored neighbours of the new candles can lose or gain gaps.
  const gaps = async (): Promise<number> => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*) as n from (
         select ts - lag(ts) over (order by ts) as step from trading.candles where series_id = $1
         and ts >= coalesce((select max(ts) from trading.candles where series_id = $1 and ts < $2), $2)
         and ts <= coalesce((select min(ts) from trading.candles where series_id = $1 and ts > $3), $3)
       ) steps where step > $4`,
      [id, first, last, TIMEFRAME_MS[timeframe]],
    )
    return rows[0]!.n
  }
  const before = await gaps()
  await insert()
  await client.query(
    `update trading.series set candles = candles + $2, first_ts = least(first_ts, $3), last_ts = greatest(last_ts, $4),
     gap_count = gap_count + $5 where id = $1`,
    [id, added, first, last, (await gaps()) - before],
  )
}
