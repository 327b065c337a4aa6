import type { BacktestRun, BacktestRunSummary } from '@shapecast/contracts/backtest'
import { judgedReturn } from '@shapecast/engine/verdicts/run-verdict'
import type { Orm } from '@shapecast/platform/database/database'
import { and, desc, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { matchingGiven } from '../ground/matching.ts'
import { packJson, unpackText } from '../ground/packed.ts'
import type { TriedSeries } from '../trials/trials.ts'
import { backtestRunDetails, backtestRuns, type StoredSummary } from './tables.ts'

/** What only the reading of one run shows. */
export type RunDetail = Omit<BacktestRun, keyof BacktestRunSummary>
export interface FinishedRun {
  summary: StoredSummary
  detail: RunDetail
}

/** A run ready to be stored: what is large is compressed. */
export interface PackedRun extends Pick<FinishedRun, 'summary'> {
  readonly modelHashes: string[]
  readonly detail: Buffer
}

export const packRun = async ({ summary, detail }: FinishedRun): Promise<PackedRun> => ({
  summary,
  modelHashes: detail.meta.hashes.models,
  detail: await packJson(detail, 1),
})

/** Whose runs may be seen: everybody's, or one's own (`userId`) and those of the named bots. */
export type RunScope = 'all' | { userId: string | null; publicBots: string[] }

/** Stores a run with its large parts and answers its id. */
export async function insertRun(
  db: Pick<Orm, 'insert'>,
  { summary, modelHashes, detail }: PackedRun,
  userId: string | null,
  nowMs: number,
): Promise<string> {
  const [row] = await db
    .insert(backtestRuns)
    .values({
      userId,
      botId: summary.params.botId,
      venue: summary.venue,
      symbol: summary.symbol,
      timeframe: summary.timeframe,
      summary,
      modelHashes,
      createdAtMs: nowMs,
    })
    .returning({ id: backtestRuns.id })
  await db.insert(backtestRunDetails).values({ runId: row!.id, bytes: detail })
  return row!.id
}

/** Whose runs may be changed: everybody's, or one's own. */
export type RunOwner = 'all' | { userId: string }

const shown = {
  id: backtestRuns.id,
  userId: backtestRuns.userId,
  name: backtestRuns.name,
  note: backtestRuns.note,
  summary: backtestRuns.summary,
}

type ShownRow = Pick<typeof backtestRuns.$inferSelect, keyof typeof shown>

const summaryOf = ({ id, userId, name, note, summary }: ShownRow, scope: RunScope | RunOwner): BacktestRunSummary => ({
  _id: id,
  ...summary,
  judged: judgedReturn(summary),
  name,
  note,
  own: scope === 'all' || (userId !== null && userId === scope.userId),
})

const withinScope = (scope: RunScope): SQL | undefined => {
  if (scope === 'all') return undefined
  const own = scope.userId === null ? undefined : eq(backtestRuns.userId, scope.userId)
  return or(own, inArray(backtestRuns.botId, scope.publicBots))
}

const ownedBy = (id: string, owner: RunOwner): SQL | undefined =>
  and(eq(backtestRuns.id, id), owner === 'all' ? undefined : eq(backtestRuns.userId, owner.userId))

/** A run as a JSON text, whose it is, and on what. */
export interface FoundRun {
  readonly text: string
  readonly userId: string | null
  readonly series: TriedSeries
}

export const createRunStore = (db: NodePgDatabase) => ({
  /** The newest runs first, of every market: each names its own. Reads the small table only. */
  async list(
    scope: RunScope,
    { symbol, timeframe, limit }: { symbol?: string | undefined; timeframe?: string | undefined; limit: number },
  ): Promise<BacktestRunSummary[]> {
    const rows = await db
      .select(shown)
      .from(backtestRuns)
      .where(and(withinScope(scope), matchingGiven(backtestRuns, { symbol, timeframe })))
      .orderBy(desc(backtestRuns.createdAtMs), desc(backtestRuns.id))
      .limit(limit)
    return rows.map((row) => summaryOf(row, scope))
  },

  /** Those of the named runs that may be seen, as JSON texts: their large parts are handed on as they were stored. */
  async find(ids: readonly string[], scope: RunScope): Promise<Map<string, FoundRun>> {
    const rows = await db
      .select({ ...shown, bytes: backtestRunDetails.bytes })
      .from(backtestRuns)
      .innerJoin(backtestRunDetails, eq(backtestRunDetails.runId, backtestRuns.id))
      .where(and(inArray(backtestRuns.id, [...ids]), withinScope(scope)))
    const texts = rows.map(async (row): Promise<[string, FoundRun]> => {
      const summary = JSON.stringify(summaryOf(row, scope))
      const detail = await unpackText(row.bytes)
      const { venue, symbol, symbols = [symbol], timeframe } = row.summary
      const text = `${summary.slice(0, -1)},${detail.slice(1)}`
      return [row.id, { text, userId: row.userId, series: { venue, symbols, timeframe } }]
    })
    return new Map(await Promise.all(texts))
  },

  /** Writes a name or a note; undefined where the run does not exist or belongs to somebody else. */
  async change(
    db: Pick<Orm, 'update'>,
    id: string,
    owner: RunOwner,
    notes: { name?: string | null | undefined; note?: string | null | undefined },
  ): Promise<BacktestRunSummary | undefined> {
    const [row] = await db.update(backtestRuns).set(notes).where(ownedBy(id, owner)).returning(shown)
    return row === undefined ? undefined : summaryOf(row, owner)
  },

  /** Whether there was such a run to delete. */
  async remove(db: Pick<Orm, 'delete'>, id: string, owner: RunOwner): Promise<boolean> {
    const gone = await db.delete(backtestRuns).where(ownedBy(id, owner)).returning({ id: backtestRuns.id })
    return gone.length > 0
  },
})
export type RunStore = ReturnType<typeof createRunStore>
