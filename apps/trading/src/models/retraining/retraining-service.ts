import { isManager } from '@shapecast/contracts/auth'
import type { DriftDecision } from '@shapecast/contracts/drift'
import { AppError } from '@shapecast/contracts/errors'
import type { Retraining, RetrainingDraft } from '@shapecast/contracts/retraining'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { Member } from '@shapecast/platform/sessions'
import { and, asc, eq, lte } from 'drizzle-orm'
import { matching, matchingGiven } from '../../ground/matching.ts'
import type { ModelStore } from '../model-store.ts'
import { recipeOf } from '../recipes.ts'
import type { TrainingService } from '../training-service.ts'
import { auditModel, noModel, requireRight } from '../versions.ts'
import { type RetrainingRow, retrainings } from './tables.ts'

const DAY_MS = 86_400_000
/** After an attempt that asked for nothing, as where candles are missing. */
const AGAIN_AFTER_MS = 3_600_000

/** Between two answers to the drift of one model, whose challengers were no better. */
const DRIFT_AGAIN_DAYS = 30

export interface RetrainingDeps {
  db: Database
  models: Pick<ModelStore, 'venue' | 'active' | 'cardsOf' | 'ownerOf'>
  trainings: Pick<TrainingService, 'request'>
  /** What the live scores of these artifacts say, by id. */
  driftOf(artifactIds: readonly string[]): Promise<ReadonlyMap<string, { decision: DriftDecision }>>
  /** Time of the market, ms; null while it is not known. */
  marketTime(): Promise<number | null>
  log: Logger
  now(): number
}

/** Why a model is due to be trained again, at a time of the market; `active` is the artifact that predicts. */
export function dueBy(
  row: Pick<RetrainingRow, 'everyDays' | 'onDrift' | 'countsFromMs' | 'driftOf'>,
  active: { id: string; drift: DriftDecision | null },
  marketNowMs: number,
): 'calendar' | 'drift' | null {
  const isDue = (days: number) => marketNowMs >= row.countsFromMs + days * DAY_MS
  if (row.everyDays !== null && isDue(row.everyDays)) return 'calendar'
  const isWorse = active.drift === 'suspect' || active.drift === 'worse'
  return row.onDrift && isWorse && (row.driftOf !== active.id || isDue(DRIFT_AGAIN_DAYS)) ? 'drift' : null
}

const shown = (of: RetrainingRow): Retraining => {
  const { venue: _at, byManager: _by, countsFromMs, driftOf: _of, triesAtMs: _then, lastAtMs: lastAt, ...row } = of
  return { ...row, lastAt, nextAt: row.everyDays === null ? null : countsFromMs + row.everyDays * DAY_MS }
}

/** Models that are trained again by themselves, on their newest candles: a challenger beside the one that predicts. */
export const createRetrainingService = (deps: RetrainingDeps) => {
  const { db, models, trainings, driftOf, marketTime, log, now } = deps

  /** Throws `not_found`, and `forbidden` for users that may not promote the version either. */
  async function requireOwn(version: string, member: Member): Promise<void> {
    const owned = await models.ownerOf(version)
    if (owned === undefined) throw noModel(version)
    requireRight(owned, member, 'may do this')
  }

  const recipe = ({ version, symbol, timeframe }: Pick<RetrainingDraft, 'version' | 'symbol' | 'timeframe'>) =>
    recipeOf(models, version, symbol, timeframe)

  /** Asks for the training of one that is due. A refusal is written down and tried again later. */
  async function trainIfDue(row: RetrainingRow, marketNowMs: number): Promise<void> {
    const { version, symbol, timeframe, userId, byManager, mode } = row
    const change = (set: Partial<RetrainingRow>) =>
      db.orm.update(retrainings).set(set).where(eq(retrainings.id, row.id))
    try {
      const { id, params, candles: limit } = await recipe(row)
      const drift = (await driftOf([id])).get(id)?.decision ?? null
      const reason = dueBy(row, { id, drift }, marketNowMs)
      if (reason === null) return
      const asker = { userId, role: byManager ? 'bot_manager' : 'user', address: null } as const
      const order = { version, symbol, timeframe, limit, params, isOffer: mode === 'offer' }
      const jobId = await trainings.request(order, asker)
      await change({
        jobId,
        error: null,
        lastAtMs: marketNowMs,
        countsFromMs: marketNowMs,
        ...(reason === 'drift' && { driftOf: id }),
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await change({ error: error.message, triesAtMs: now() + AGAIN_AFTER_MS })
    }
  }

  return {
    async list({ version }: { version?: string | undefined }): Promise<Retraining[]> {
      const wanted = matchingGiven(retrainings, { venue: models.venue, version })
      const rows = await db.orm.select().from(retrainings).where(wanted).orderBy(asc(retrainings.id))
      return rows.map(shown)
    },

    /**
     * Sets when a model is trained again, or changes it. The days count from now on. Throws `not_found`, `forbidden`,
     * `model_not_trained`, and `unprocessable` for an upload.
     */
    async set(draft: RetrainingDraft, member: Member): Promise<Retraining> {
      await requireOwn(draft.version, member)
      await recipe(draft)
      const countsFromMs = (await marketTime()) ?? now()
      const { userId, role } = member
      const set = { ...draft, userId, byManager: isManager(role), countsFromMs, error: null, triesAtMs: 0 }
      return db.orm.transaction(async (tx) => {
        const [row] = await tx
          .insert(retrainings)
          .values({ ...set, venue: models.venue })
          .onConflictDoUpdate({
            target: [retrainings.version, retrainings.venue, retrainings.symbol, retrainings.timeframe],
            set,
          })
          .returning()
        await auditModel(tx, member, 'model.retraining_set', draft.version, { after: draft })
        return shown(row!)
      })
    },

    async end(id: string, member: Member): Promise<void> {
      const which = matching(retrainings, { id, venue: models.venue })
      const [row] = await db.orm.select().from(retrainings).where(which)
      if (row === undefined) throw new AppError('not_found', 'It is not trained by itself any more.')
      await requireOwn(row.version, member)
      await db.orm.transaction(async (tx) => {
        await tx.delete(retrainings).where(which)
        await auditModel(tx, member, 'model.retraining_ended', row.version, { before: shown(row) })
      })
    },

    /** Asks for the trainings that are due; in one process at a time. */
    async turn(): Promise<void> {
      const rows = await db.orm
        .select()
        .from(retrainings)
        .where(and(eq(retrainings.venue, models.venue), lte(retrainings.triesAtMs, now())))
      const marketNowMs = rows.length === 0 ? null : await marketTime()
      if (marketNowMs === null) return
      for (const row of rows)
        await trainIfDue(row, marketNowMs).catch((error: unknown) =>
          log.warn({ err: error, version: row.version }, 'a model could not be trained again'),
        )
    },
  }
}
export type RetrainingService = ReturnType<typeof createRetrainingService>
