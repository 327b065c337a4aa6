import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { TrainingOutcome } from '@shapecast/contracts/training-outcome'
import type { TrainingJob } from '@shapecast/contracts/trainings'
import type { Orm } from '@shapecast/platform/database/database'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { jobs } from '../ground/jobs/tables.ts'
import { artifacts } from './tables.ts'
import { TRAINING, type Training } from './training-kind.ts'

type MadeArtifact = Pick<typeof artifacts.$inferSelect, 'id' | 'active' | 'comparison'>

/** What a training came to. */
export const outcomeOf = ({ active, comparison }: Pick<MadeArtifact, 'active' | 'comparison'>): TrainingOutcome => ({
  decision:
    comparison === null ? 'first' : comparison.waits ? 'waits' : comparison.takesOver ? 'took_over' : 'old_stays',
  verdict: comparison?.verdict ?? null,
  predicts: active,
})

const shownJob = (training: Training, made: MadeArtifact | undefined): TrainingJob => ({
  _id: training.id,
  venue: training.payload.venue,
  status: training.status,
  version: training.payload.version,
  symbol: training.payload.symbol,
  timeframe: training.payload.timeframe,
  progress: training.progress,
  artifactId: made?.id ?? null,
  outcome: made === undefined ? null : outcomeOf(made),
  error: training.error,
  createdAt: training.createdAtMs,
})

/** Trainings as the API shows them, with what became of their artifacts: those that are no longer kept are left out. */
export async function shownTrainings(orm: Orm, trainings: readonly Training[]): Promise<TrainingJob[]> {
  const ids = trainings.flatMap(({ result }) => result?.artifactId ?? [])
  const made = await orm
    .select({ id: artifacts.id, active: artifacts.active, comparison: artifacts.comparison })
    .from(artifacts)
    .where(inArray(artifacts.id, ids))
  const byId = new Map(made.map((artifact) => [artifact.id, artifact]))
  return trainings.map((training) => shownJob(training, byId.get(training.result?.artifactId ?? '')))
}

/** Whether anything was ever trained, or tried, on a venue or of a version. */
export async function anyTraining(orm: Orm, of: { venue: string } | { version: string }): Promise<boolean> {
  const rows = await orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.kind, TRAINING.name), sql`${jobs.payload} @> ${JSON.stringify(of)}::jsonb`))
    .limit(1)
  return rows.length > 0
}

/** Seconds that training takes a candle, by the newest one that was timed, of the version where there is one; null where none was. */
export async function secondsACandle(orm: Orm, version: string): Promise<number | null> {
  const [found] = (await orm
    .select()
    .from(jobs)
    .where(and(eq(jobs.kind, TRAINING.name), eq(jobs.status, 'completed'), sql`${jobs.result} ? 'seconds'`))
    .orderBy(desc(sql`${jobs.payload} ->> 'version' = ${version}`), desc(jobs.createdAtMs))
    .limit(1)) as Training[]
  if (found === undefined) return null
  const { timeframe, fromMs, toMs } = found.payload
  return found.result!.seconds! / ((toMs - fromMs) / TIMEFRAME_MS[timeframe] + 1)
}
