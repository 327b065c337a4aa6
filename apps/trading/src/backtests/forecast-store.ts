import type { Candles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { lt, sql } from 'drizzle-orm'
import { bytesOf } from '../ground/hash-data.ts'
import { matching } from '../ground/matching.ts'
import type { Forecasts } from './predict-candles.ts'
import type { SeenRange } from './seen-ranges.ts'
import { backtestForecasts } from './tables.ts'

/** One artifact's forecasts of a run, with what the run needs to know of the artifact. */
export interface KeptForecasts {
  readonly forecasts: Forecasts
  /** Candles before the run that they rest on, and the hash of those and the run. */
  readonly history: number
  readonly candlesHash: string
  readonly seen: Omit<SeenRange, 'version'>
}

/** Forecasts of longer runs are not kept. */
const MOST_CANDLES = 200_000
const MOST_BYTES = 256 * 1024 * 1024
const TOUCH_EVERY_MS = 60_000
const COLUMNS = ['confidence', 'edgeBps', 'nextClose', 'volatility', 'pUp'] as const

/**
 * Forecasts of earlier backtests, by artifact and candles: another size, cost, stop or policy on the same range asks no
 * model again. Shared by all processes and bounded: the least recently used go first.
 */
export const createForecastStore = ({ orm }: Database, mostBytes = MOST_BYTES) => ({
  /** Forecasts of a run that begins and ends like this one; whether the candles are the same says their hash. */
  async find(artifactId: string, run: Candles, nowMs: number): Promise<KeptForecasts | undefined> {
    const ends = { fromMs: run.ts[0]!, toMs: run.ts[run.length - 1]! }
    const sameRun = matching(backtestForecasts, { artifactId, ...ends, candles: run.length })
    const [row] = await orm.select().from(backtestForecasts).where(sameRun)
    if (row === undefined) return undefined
    if (nowMs - row.usedAtMs > TOUCH_EVERY_MS)
      await orm.update(backtestForecasts).set({ usedAtMs: nowMs }).where(sameRun)
    const { history, candlesHash, seen } = row
    const forecasts = unpack(row.columns, run.length)
    return forecasts && { history, candlesHash, seen, forecasts }
  },

  async put(artifactId: string, run: Candles, kept: KeptForecasts, nowMs: number): Promise<void> {
    if (run.length > MOST_CANDLES) return
    const { history, candlesHash, seen, forecasts } = kept
    const columns = pack(forecasts)
    const row = { history, candlesHash, seen, columns, bytes: columns.length, usedAtMs: nowMs }
    const { artifactId: artifact, fromMs, toMs, candles } = backtestForecasts
    await orm
      .insert(backtestForecasts)
      .values({ artifactId, fromMs: run.ts[0]!, toMs: run.ts[run.length - 1]!, candles: run.length, ...row })
      .onConflictDoUpdate({ target: [artifact, fromMs, toMs, candles], set: row })
    const newest = orm
      .select({
        usedAtMs: backtestForecasts.usedAtMs,
        total: sql<number>`sum(${backtestForecasts.bytes}) over (order by ${backtestForecasts.usedAtMs} desc)`.as(
          'total',
        ),
      })
      .from(backtestForecasts)
      .as('newest')
    const [beyond] = await orm
      .select({ usedAtMs: sql<number | null>`max(${newest.usedAtMs})::float8` })
      .from(newest)
      .where(sql`${newest.total} > ${mostBytes}`)
    if (beyond?.usedAtMs != null)
      await orm.delete(backtestForecasts).where(lt(backtestForecasts.usedAtMs, beyond.usedAtMs + 1))
  },
})
export type ForecastStore = ReturnType<typeof createForecastStore>

function pack(forecasts: Forecasts): Buffer {
  const columns = [...COLUMNS.map((name) => forecasts[name]), ...forecasts.medians]
  return Buffer.concat([...columns, forecasts.signal].map(bytesOf))
}

/** Undefined for what was kept before medians were. */
function unpack(bytes: Buffer, length: number): Forecasts | undefined {
  const doubles = (bytes.length / length - 1) / 8
  if (doubles <= COLUMNS.length) return undefined
  // A copy, because columns of doubles begin at a multiple of eight bytes.
  const { buffer } = new Uint8Array(bytes)
  const columns = Array.from({ length: doubles }, (_, c) => new Float64Array(buffer, 8 * c * length, length))
  const [confidence, edgeBps, nextClose, volatility, pUp, ...medians] = columns
  return {
    signal: new Int8Array(buffer, 8 * doubles * length, length),
    confidence: confidence!,
    edgeBps: edgeBps!,
    nextClose: nextClose!,
    volatility: volatility!,
    pUp: pUp!,
    medians,
  }
}
