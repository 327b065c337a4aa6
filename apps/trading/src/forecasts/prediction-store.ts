import type { Database } from '@shapecast/platform/database/database'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { AT_ONCE, STEPS } from '../ground/prune-rows.ts'
import { createTurns } from '../ground/turns.ts'
import { artifacts } from '../models/tables.ts'
import { predictions } from './tables.ts'

/** A stored forecast; the numbers after `signal` are NaN where none is possible. */
export type StoredRow = Omit<typeof predictions.$inferSelect, 'artifactId'>

const { artifactId: _of, ...COLUMNS } = getTableColumns(predictions)
const KEYS = Object.keys(COLUMNS) as (keyof StoredRow)[]
const NAMES = KEYS.map((key) => COLUMNS[key].name)
const SELECT = `select ${KEYS.map((key) => `${COLUMNS[key].name} as "${key}"`).join(', ')} from trading.predictions
  where artifact_id = $1 and ts between $2 and $3 order by ts`
/** For an artifact that is no more, or is being deleted, nothing is added; that is no failure. */
const UPSERT = `with artifact as (select id from trading.artifacts where id = $1 for key share)
  insert into trading.predictions (artifact_id, ${NAMES.join(', ')})
  select artifact.id, t.* from artifact, unnest(${KEYS.map((key, k) => `$${k + 2}::${COLUMNS[key].getSQLType()}[]`).join(', ')}) t
  on conflict (artifact_id, ts) do update set
  ${NAMES.slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`

/** Forecasts by artifact and candle, written and read thousands at a time. */
export const createPredictionStore = (db: Pick<Database, 'pool'>) => {
  const inTurn = createTurns()
  async function write(artifactId: string, rows: readonly StoredRow[]): Promise<void> {
    if (rows.length === 0) return
    await db.pool.query(UPSERT, [artifactId, ...KEYS.map((key) => rows.map((row) => row[key]))])
  }

  return {
    /** In order of time; both ends included; with what this process is about to have written. */
    async read(artifactId: string, fromTs: number, toTs: number): Promise<StoredRow[]> {
      await inTurn(artifactId, async () => undefined)
      return (await db.pool.query<StoredRow>(SELECT, [artifactId, fromTs, toTs])).rows
    },

    /**
     * Adds rows, and replaces those that are there for the same candles. Nobody need wait for it: `failed` hears of what
     * could not be written, and rows that are missing are made again when asked for.
     */
    keep(artifactId: string, rows: readonly StoredRow[], failed: (error: unknown) => void): void {
      void inTurn(artifactId, () => write(artifactId, rows)).catch(failed)
    },
  }
}

/** Deletes the forecasts of charts before the newest `kept` of each artifact: they are made again when somebody asks. */
export const oldPredictions = (kept: number): SQL => sql`delete from ${predictions} where (artifact_id, ts) in (
  select p.artifact_id, p.ts from ${artifacts} a join ${STEPS} on t.timeframe = a.timeframe
  cross join lateral (select max(ts) as ts from ${predictions} n where n.artifact_id = a.id) newest
  join ${predictions} p on p.artifact_id = a.id and p.ts <= newest.ts - ${kept}::bigint * t.step_ms
  limit ${AT_ONCE})`
export type PredictionStore = ReturnType<typeof createPredictionStore>
