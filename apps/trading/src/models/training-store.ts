import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import type { TrainingJob, TrainParams } from '@shapecast/contracts/trainings'
import type { Orm } from '@shapecast/platform/database/database'
import { violationOf } from '@shapecast/platform/database/violations'
import { and, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { insertArtifact } from './active-artifacts.ts'
import type { NewArtifact, Series } from './artifact-rows.ts'
import { artifacts, checkpoints, type TrainingRow, trainings } from './tables.ts'
import type { Traders } from './traders.ts'
import { type MadeArtifact, outcomeOf, recordTrained, tellTrained } from './training-news.ts'

/** Which candles (open times, both ends included) and which settings: fixed when asked, so a retry trains the same. */
export interface TrainingRequest extends Series {
  version: string
  fromMs: number
  toMs: number
  params: TrainParams
  /** Whether a manager asked for it, or the installation itself. */
  byManager: boolean
}

export const NOT_STARTED: TrainingJob['progress'] = {
  current: 0,
  total: 1,
  phase: 'queued',
  epoch: null,
  trainLoss: null,
  validationLoss: null,
  secondsLeft: null,
}

export const jobOf = (row: TrainingRow, made: MadeArtifact | null = null): TrainingJob => ({
  _id: row.id,
  venue: row.venue,
  status: row.status,
  version: row.version,
  symbol: row.symbol,
  timeframe: row.timeframe as TrainingJob['timeframe'],
  progress: row.progress,
  artifactId: row.artifactId,
  outcome: made === null ? null : outcomeOf(made),
  error: row.error,
  createdAt: row.createdAtMs,
})

export const requestOf = (row: TrainingRow): TrainingRequest => row.request as TrainingRequest

const ACTIVE = ['queued', 'running'] as const

type VersionSeries = Pick<TrainingRequest, 'version' | keyof Series>
const isOf = ({ version, venue, symbol, timeframe }: VersionSeries) =>
  and(
    eq(trainings.version, version),
    eq(trainings.venue, venue),
    eq(trainings.symbol, symbol),
    eq(trainings.timeframe, timeframe),
  )

/** Rows of trainings. Each change of state is one statement that holds only from the states it may come from. */
export const createTrainingStore = (db: NodePgDatabase, traders: Pick<Traders, 'tell'>) => {
  const withArtifacts = () =>
    db
      .select({ training: trainings, made: { active: artifacts.active, comparison: artifacts.comparison } })
      .from(trainings)
      .leftJoin(artifacts, eq(artifacts.id, trainings.artifactId))
  return {
    /** Adds a queued training. Throws `conflict` while the same version trains on the same series. */
    async insert(
      tx: Orm,
      request: TrainingRequest,
      userId: string | null,
      turn: number,
      nowMs: number,
    ): Promise<string> {
      try {
        const [row] = await tx
          .insert(trainings)
          .values({
            userId,
            version: request.version,
            venue: request.venue,
            symbol: request.symbol,
            timeframe: request.timeframe,
            request,
            status: 'queued',
            progress: NOT_STARTED,
            turn,
            createdAtMs: nowMs,
          })
          .returning({ id: trainings.id })
        return row!.id
      } catch (error) {
        if (violationOf(error) !== 'twice') throw error
        throw new AppError(
          'conflict',
          `${request.version} is already being trained on ${request.symbol} ${request.timeframe}. Wait for it, or cancel it.`,
        )
      }
    },

    async find(id: string): Promise<TrainingRow | undefined> {
      const [row] = await db.select().from(trainings).where(eq(trainings.id, id))
      return row
    },

    /** A training with what came of it. */
    async findJob(id: string): Promise<{ row: TrainingRow; job: TrainingJob } | undefined> {
      const [found] = await withArtifacts().where(eq(trainings.id, id))
      return found === undefined ? undefined : { row: found.training, job: jobOf(found.training, found.made) }
    },

    /** The newest trainings with what came of them, in one query. */
    async list(userId: string | 'all', limit: number): Promise<TrainingJob[]> {
      const found = await withArtifacts()
        .where(userId === 'all' ? undefined : eq(trainings.userId, userId))
        .orderBy(desc(trainings.createdAtMs), desc(trainings.id))
        .limit(limit)
      return found.map(({ training, made }) => jobOf(training, made))
    },

    /** The id of the training that the installation itself asked for on a series and that is not over. */
    async automatic(request: VersionSeries, tx: Orm = db): Promise<string | undefined> {
      const [row] = await tx
        .select({ id: trainings.id })
        .from(trainings)
        .where(and(isNull(trainings.userId), isOf(request), inArray(trainings.status, [...ACTIVE])))
      return row?.id
    },

    /** The training of a version on a series that was asked for last, whoever asked. */
    async newestOf(of: VersionSeries): Promise<TrainingRow | undefined> {
      const [row] = await db
        .select()
        .from(trainings)
        .where(isOf(of))
        .orderBy(desc(trainings.createdAtMs), desc(trainings.id))
        .limit(1)
      return row
    },

    /** How many of a user's trainings wait or run. */
    async activeOf(userId: string, tx: Orm = db): Promise<number> {
      const [row] = await tx
        .select({ n: count() })
        .from(trainings)
        .where(and(eq(trainings.userId, userId), inArray(trainings.status, [...ACTIVE])))
      return row?.n ?? 0
    },

    /** Whether anything was ever trained, or tried, on a venue. */
    async anyOn(venue: string): Promise<boolean> {
      const rows = await db.select({ id: trainings.id }).from(trainings).where(eq(trainings.venue, venue)).limit(1)
      return rows.length > 0
    },

    unfinished: (): Promise<TrainingRow[]> =>
      db
        .select()
        .from(trainings)
        .where(inArray(trainings.status, [...ACTIVE])),

    /** Queued or (after a crash) running → running. Undefined where it is over. */
    async begin(id: string): Promise<TrainingRow | undefined> {
      const [row] = await db
        .update(trainings)
        .set({ status: 'running', progress: { ...NOT_STARTED, phase: 'loading candles' } })
        .where(and(eq(trainings.id, id), inArray(trainings.status, [...ACTIVE])))
        .returning()
      return row
    },

    /** False where the training no longer runs: it was cancelled. */
    async report(id: string, progress: TrainingJob['progress']): Promise<boolean> {
      const rows = await db
        .update(trainings)
        .set({ progress })
        .where(and(eq(trainings.id, id), eq(trainings.status, 'running')))
        .returning({ id: trainings.id })
      return rows.length > 0
    },

    /** Stores the artifact and completes the training, on record, in one transaction; undefined where it was cancelled before. */
    complete: (
      id: string,
      artifact: NewArtifact,
      comparison: ArtifactComparison | null,
      nowMs: number,
    ): Promise<string | undefined> =>
      db.transaction(async (tx) => {
        const [row] = await tx.select().from(trainings).where(eq(trainings.id, id)).for('update')
        if (row?.status !== 'running') return undefined
        const artifactId = await insertArtifact(
          tx,
          artifact,
          { userId: row.userId, isManager: requestOf(row).byManager },
          nowMs,
          comparison,
        )
        await recordTrained(tx, artifactId, artifact, row.userId, traders, nowMs)
        await tellTrained(tx, row, null, nowMs)
        await tx
          .update(trainings)
          .set({
            status: 'completed',
            artifactId,
            finishedAtMs: nowMs,
            progress: { ...row.progress, current: row.progress.total, phase: 'done', secondsLeft: 0 },
          })
          .where(eq(trainings.id, id))
        await tx.delete(checkpoints).where(eq(checkpoints.trainingId, id))
        return artifactId
      }),

    /** Queued or running → failed or cancelled, in a transaction. Undefined where it was already over. */
    end(
      id: string,
      status: 'failed' | 'cancelled',
      error: string | null,
      nowMs: number,
      orm?: Orm,
    ): Promise<TrainingRow | undefined> {
      const within = async (tx: Orm) => {
        const [row] = await tx
          .update(trainings)
          .set({ status, error, finishedAtMs: nowMs })
          .where(and(eq(trainings.id, id), inArray(trainings.status, [...ACTIVE])))
          .returning()
        await tx.delete(checkpoints).where(eq(checkpoints.trainingId, id))
        if (row !== undefined && status === 'failed') await tellTrained(tx, row, error, nowMs)
        return row
      }
      return orm === undefined ? db.transaction(within) : within(orm)
    },
  }
}
export type TrainingStore = ReturnType<typeof createTrainingStore>
