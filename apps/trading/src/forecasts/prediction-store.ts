import type { Database } from '@shapecast/platform/database/database'
import type { KeptMedians } from './record/network-medians.ts'

/** A stored forecast; the numbers after `signal` are NaN where none is possible. */
export interface StoredRow extends KeptMedians {
  ts: number
  /** Of the candles that it rests on. */
  candleCheck: number
  signal: number
  confidence: number
  price: number
  stopLoss: number
  edgeBps: number
  madeAtMs: number
}

const COLUMNS = [
  ['ts', 'bigint'],
  ['candle_check', 'bigint'],
  ['signal', 'smallint'],
  ['confidence', 'float8'],
  ['price', 'float8'],
  ['lstm', 'float8'],
  ['transformer', 'float8'],
  ['stop_loss', 'float8'],
  ['edge_bps', 'float8'],
  ['made_at_ms', 'bigint'],
] as const

const NAMES = COLUMNS.map(([name]) => name).join(', ')
const SELECT = `select ${NAMES} from trading.predictions where artifact_id = $1 and ts between $2 and $3 order by ts`
/** For an artifact that is no more, or is being deleted, nothing is added; that is no failure. */
const UPSERT = `with artifact as (select id from trading.artifacts where id = $1 for key share)
  insert into trading.predictions (artifact_id, ${NAMES})
  select artifact.id, t.* from artifact, unnest(${COLUMNS.map(([, type], k) => `$${k + 2}::${type}[]`).join(', ')}) t
  on conflict (artifact_id, ts) do update set
  ${COLUMNS.slice(1)
    .map(([name]) => `${name} = excluded.${name}`)
    .join(', ')}`

/** Forecasts by artifact and candle, written and read thousands at a time. */
export const createPredictionStore = (db: Pick<Database, 'pool'>) => {
  /** By artifact, what is being written and not to be awaited by its writer. */
  const writing = new Map<string, Promise<unknown>>()

  async function write(artifactId: string, rows: readonly StoredRow[]): Promise<void> {
    if (rows.length === 0) return
    await db.pool.query(UPSERT, [
      artifactId,
      rows.map((r) => r.ts),
      rows.map((r) => r.candleCheck),
      rows.map((r) => r.signal),
      rows.map((r) => r.confidence),
      rows.map((r) => r.price),
      rows.map((r) => r.lstm),
      rows.map((r) => r.transformer),
      rows.map((r) => r.stopLoss),
      rows.map((r) => r.edgeBps),
      rows.map((r) => r.madeAtMs),
    ])
  }

  return {
    /** In order of time; both ends included; with what this process is about to have written. */
    async read(artifactId: string, fromTs: number, toTs: number): Promise<StoredRow[]> {
      await writing.get(artifactId)
      const { rows } = await db.pool.query({ text: SELECT, values: [artifactId, fromTs, toTs], rowMode: 'array' })
      return rows.map((row: unknown[]) => {
        const [ts, candleCheck, signal, confidence, price, lstm, transformer, stopLoss, edgeBps, madeAtMs] = row.map(
          Number,
        ) as [number, number, number, number, number, number, number, number, number, number]
        return { ts, candleCheck, signal, confidence, price, lstm, transformer, stopLoss, edgeBps, madeAtMs }
      })
    },

    /**
     * Adds rows, and replaces those that are there for the same candles. Nobody need wait for it: `failed` hears of what
     * could not be written, and rows that are missing are made again when asked for.
     */
    keep(artifactId: string, rows: readonly StoredRow[], failed: (error: unknown) => void): void {
      const before = writing.get(artifactId) ?? Promise.resolve()
      const mine: Promise<void> = before
        .then(() => write(artifactId, rows))
        .catch(failed)
        .finally(() => {
          if (writing.get(artifactId) === mine) writing.delete(artifactId)
        })
      writing.set(artifactId, mine)
    },
  }
}
export type PredictionStore = ReturnType<typeof createPredictionStore>
