import { isManager } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactComparison, ModelStage } from '@shapecast/contracts/ml'
import type { UploadedModel } from '@shapecast/contracts/uploads'
import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import type { Member } from '@shapecast/platform/sessions'
import { audit } from '@shapecast/platform/tables'
import { and, eq, gte } from 'drizzle-orm'
import pLimit from 'p-limit'
import { createAdmission } from '../../ground/admission.ts'
import { createTurns } from '../../ground/turns.ts'
import type { VenueCandles } from '../../market/series-market.ts'
import { holdOrMake, insertArtifact } from '../active-artifacts.ts'
import { artifactDetail } from '../artifact-detail.ts'
import { isOfVersion } from '../artifact-rows.ts'
import { artifacts, type ModelRow } from '../tables.ts'
import { auditModel, DEFAULT_VERSION, recordModelActivity } from '../versions.ts'
import type { ReceivedModel } from './receive-model.ts'
import { type RemovalDeps, removeUpload } from './remove-upload.ts'
import { cardOf, type TriedUpload, tryUpload } from './try-upload.ts'

const DAY_MS = 86_400_000
/** Of somebody who manages nothing, within a day. */
const MOST_A_DAY = 20
/** Uploads that a process receives or tries out at a time, of all and of one person; more are asked to come again. */
const MOST = { all: 8, user: 2 } as const
/** Tried out at a time; the others wait. */
const TRIED_AT_ONCE = 2

export interface UploadServiceDeps extends RemovalDeps {
  candles: VenueCandles
  /** Holds an upload against the artifact that predicts now, or null. */
  judge(upload: TriedUpload): Promise<ArtifactComparison | null>
  now(): number
}

/** Throws where a version is not this person's to upload under. */
function requireAllowed(version: string, owned: Pick<ModelRow, 'createdBy'> | undefined, doer: Member): void {
  const refuse = (code: 'conflict' | 'forbidden', text: string): never => {
    throw new AppError(code, text, { field: 'version' })
  }
  if (owned === undefined) {
    if (version === DEFAULT_VERSION)
      refuse('conflict', `${version} is what this installation trains by itself. Choose another name.`)
  } else if (!isManager(doer.role) && owned.createdBy !== doer.userId)
    refuse('forbidden', `${version} is not yours. Upload under another name, or ask a manager.`)
}

/** Counts what somebody has uploaded within a day, whether or not it is still there. Throws `too_many_requests`. */
async function requireRoom(orm: Orm, { userId, role }: Member, nowMs: number): Promise<void> {
  if (isManager(role)) return
  const isUpload = and(eq(audit.actorId, userId), eq(audit.action, 'model.uploaded'))
  if ((await orm.$count(audit, and(isUpload, gte(audit.at, new Date(nowMs - DAY_MS))))) < MOST_A_DAY) return
  const text = `You have uploaded ${MOST_A_DAY} models within a day. Come back tomorrow.`
  throw new AppError('too_many_requests', text, { retryAfterS: DAY_MS / 1000 })
}

async function take(
  { db, models, candles, judge, now }: UploadServiceDeps,
  files: ReceivedModel,
  version: string,
  symbol: string,
  doer: Member,
): Promise<UploadedModel> {
  const { userId } = doer
  // The upload before may have taken the name.
  requireAllowed(version, await models.ownerOf(version), doer)
  const upload = await tryUpload({ candles, files, version, symbol, uploadedBy: userId, nowMs: now() })
  const { timeframe, hash } = upload
  const comparison = await judge(upload)
  const nowMs = now()
  return db.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, `uploads of ${userId}`)
    await requireRoom(tx, doer, nowMs)
    const owned = await holdOrMake(tx, { version, stage: 'staging', createdBy: userId, createdAtMs: nowMs })
    // And so may somebody in another process.
    requireAllowed(version, owned, doer)
    const same = and(isOfVersion(upload), eq(artifacts.hash, hash))
    if ((await tx.$count(artifacts, same)) > 0)
      throw new AppError('conflict', `${version} has this very model on ${symbol} ${timeframe} already.`, {
        field: 'onnx',
      })
    const maker = { userId, isManager: false }
    const id = await insertArtifact(tx, upload, maker, nowMs, heldBack(comparison, owned))
    const { name } = upload.card.declared
    const { accuracy } = upload.shown.accuracy
    await auditModel(tx, doer, 'model.uploaded', version, {
      after: { artifactId: id, hash, symbol, timeframe, name, accuracy },
    })
    await recordModelActivity(tx, 'model.uploaded', userId, version, `${symbol} ${timeframe}`)
    // Read here, since users that see it may delete it from now on.
    return { version, stage: owned.stage, artifact: artifactDetail((await models.artifact(id, tx))!) }
  })
}

/**
 * Keeps uploaded files from taking the whole process: so many at once, and those of one series one after the other.
 * @internal for tests
 */
export const createUploadTurns = () => {
  const inTurn = createTurns()
  const tried = pLimit(TRIED_AT_ONCE)
  return {
    /** Lets an upload in, from its first byte on. Throws `too_many_requests`. */
    admit: createAdmission(MOST, {
      user: `${MOST.user} of your uploads are under way. Wait for one of them.`,
      all: 'Many uploads are under way. Try again in a moment.',
      retryAfterS: 10,
    }),
    /** Runs `work` when its turn has come: after what came before on the same series, two at a time in all. */
    inTurn: <R>(seriesName: string, work: () => Promise<R>): Promise<R> => inTurn(seriesName, () => tried(work)),
  }
}

/** Networks that were made elsewhere: taking them in, and giving them up again. */
export const createUploadService = (deps: UploadServiceDeps) => {
  const { db, models, now } = deps
  const turns = createUploadTurns()
  return {
    remove: removeUpload.bind(null, deps),

    /**
     * Takes a network in as an artifact of a version, after it was tried out and judged; where anything is wrong nothing
     * is kept. `receive` reads the files, once the doer is let in. Throws `forbidden`, `conflict`, `too_many_requests`,
     * and what `tryUpload` throws.
     */
    async upload(
      { version, symbol }: { version: string; symbol: string },
      receive: () => Promise<ReceivedModel>,
      doer: Member,
    ): Promise<UploadedModel> {
      requireAllowed(version, await models.ownerOf(version), doer)
      await requireRoom(db.orm, doer, now())
      return turns.admit(doer.userId, async () => {
        const files = await receive()
        const { timeframe } = cardOf(files)
        return turns.inTurn(`${version} ${symbol} ${timeframe}`, () => take(deps, files, version, symbol, doer))
      })
    },
  }
}

export type UploadService = ReturnType<typeof createUploadService>

/** In production no upload takes over by itself: what it has learnt from is its author's word, and figures rest on that. */
function heldBack(comparison: ArtifactComparison | null, { stage }: { stage: ModelStage }): ArtifactComparison | null {
  if (comparison === null || stage !== 'production' || !comparison.takesOver) return comparison
  const figures = comparison.verdict.replace(/^Better than the one before it, so it predicts now: /, '')
  const verdict = `Better than the active artifact by what its author says of its training (${figures.replace(/\.$/, '')}). In production an upload waits until a manager promotes it.`
  return { ...comparison, takesOver: false, waits: true, verdict }
}
