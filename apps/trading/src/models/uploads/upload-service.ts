import { isManager } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactComparison, ModelStage } from '@shapecast/contracts/ml'
import type { DeletedUpload, UploadedModel } from '@shapecast/contracts/uploads'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import type { Member } from '@shapecast/platform/sessions'
import pLimit from 'p-limit'
import { createAdmission } from '../../ground/admission.ts'
import { createTurns } from '../../ground/turns.ts'
import type { VenueCandles } from '../../market/series-market.ts'
import { UPLOAD_LIMITS, UPLOAD_TRIAL_MS } from '../open-predictor.ts'
import { ROUND_TRIP_COST_BPS } from '../train-artifact.ts'
import { DEFAULT_VERSION, recordModelActivity } from '../versions.ts'
import type { ReceivedModel } from './receive-model.ts'
import { cardOf, type TriedUpload, tryUpload } from './try-upload.ts'
import type { UploadedArtifacts } from './uploaded-artifacts.ts'

/** Uploads that a process receives or tries out at a time, of all and of one person; more are asked to come again. */
const MOST = { all: 8, user: 2 } as const
/** Tried out at a time; the others wait. */
const TRIED_AT_ONCE = 2

/** Keeps uploaded files from taking the whole process: so many at once, and those of one series one after the other. */
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

const DAY_MS = 86_400_000
/** Of somebody who manages nothing, within a day. */
const MOST_A_DAY = 20

export interface UploadServiceDeps {
  db: Database
  models: UploadedArtifacts
  candles: VenueCandles
  /** Holds an upload against the artifact that predicts now, or null. */
  judge(upload: TriedUpload): Promise<ArtifactComparison | null>
  /** How many bots trade on a version. */
  botsOn(version: string): Promise<number>
  /** The bots that have pinned an artifact, named as this person may see them; null where none has. */
  botsPinnedTo(tx: Orm, artifactId: string, doer: Member): Promise<string | null>
  now(): number
}

/** Who may upload under a name, and how much. */
const rightsOf = (deps: UploadServiceDeps) => {
  const { models, now } = deps

  function requireAllowed(
    version: string,
    owned: Awaited<ReturnType<UploadedArtifacts['ownerOf']>>,
    doer: Member,
  ): void {
    if (owned === undefined) {
      if (version === DEFAULT_VERSION)
        throw new AppError('conflict', `${version} is what this installation trains by itself. Choose another name.`, {
          field: 'version',
        })
      return
    }
    if (isManager(doer.role) || owned.createdBy === doer.userId) return
    throw new AppError('forbidden', `${version} is not yours. Upload under another name, or ask a manager.`, {
      field: 'version',
    })
  }

  async function requireRoom(orm: Orm, { userId, role }: Member): Promise<void> {
    if (isManager(role) || (await models.uploadsSince(orm, userId, now() - DAY_MS)) < MOST_A_DAY) return
    throw new AppError(
      'too_many_requests',
      `You have uploaded ${MOST_A_DAY} models within a day. Come back tomorrow.`,
      { retryAfterS: DAY_MS / 1000 },
    )
  }
  return { requireAllowed, requireRoom }
}

/** Gives uploads up again. */
const removalOf = ({ db, models, ...deps }: UploadServiceDeps) => ({
  /**
   * Deletes an upload that no bot has pinned; where it predicted, the newest other one of its series does from now on,
   * or none. Throws `not_found`, `unprocessable` for what was trained here, `forbidden`, `model_in_use`.
   */
  remove: (id: string, doer: Member): Promise<DeletedUpload> =>
    db.orm.transaction(async (tx) => {
      const artifact = await models.held(tx, id)
      if (artifact === undefined) throw new AppError('not_found', 'There is no such model.')
      const { version, symbol, timeframe, hash, stage, active } = artifact
      if (artifact.origin !== 'uploaded')
        throw new AppError('unprocessable', `It was trained here and is kept. Move ${version} to the archive instead.`)
      if (!isManager(doer.role) && artifact.uploadedBy !== doer.userId)
        throw new AppError('forbidden', 'Only who uploaded a model, and managers, can delete it.')
      const pinned = await deps.botsPinnedTo(tx, id, doer)
      if (pinned !== null)
        throw new AppError(
          'model_in_use',
          `It cannot be deleted while bots are pinned to it: ${pinned}. Have them take another model first, or delete them.`,
        )
      const bots = active ? await deps.botsOn(version) : 0
      if (bots > 0)
        throw new AppError(
          'model_in_use',
          `${bots} ${bots === 1 ? 'bot trades' : 'bots trade'} on ${version}. Give them another model first.`,
        )
      if (active && stage === 'production')
        throw new AppError(
          'model_in_use',
          `It predicts in production. Move ${version} to staging first, or promote another artifact.`,
        )
      const predictsNow = await models.remove(tx, id, artifact)
      await recordAudit(tx, doer, {
        action: 'model.upload_deleted',
        subject: { type: 'model', id: version },
        before: { artifactId: id, hash, symbol, timeframe, active },
        ...(active ? { after: { predictsNow } } : {}),
      })
      return { version, predicted: active, predictsNow }
    }),
})

/** Networks that were made elsewhere: taking them in, and giving them up again. */
export const createUploadService = (deps: UploadServiceDeps) => {
  const shared = rightsOf(deps)
  const { requireAllowed, requireRoom } = shared
  const { db, models, now } = deps

  const turns = createUploadTurns()

  async function take(files: ReceivedModel, version: string, symbol: string, doer: Member) {
    // The upload before may have taken the name.
    requireAllowed(version, await models.ownerOf(version), doer)
    const upload = await tryUpload({
      candles: deps.candles,
      roundTripCostBps: ROUND_TRIP_COST_BPS,
      limits: UPLOAD_LIMITS,
      judgeMs: UPLOAD_TRIAL_MS,
      files,
      version,
      symbol,
      uploadedBy: doer.userId,
      nowMs: now(),
    })
    const comparison = await deps.judge(upload)
    const nowMs = now()
    return db.orm.transaction(async (tx) => {
      await lockUntilCommit(tx, `uploads of ${doer.userId}`)
      await requireRoom(tx, doer)
      const owned = await models.claim(tx, version, doer.userId, nowMs)
      // And so may somebody in another process.
      requireAllowed(version, owned, doer)
      if (await models.has(tx, version, symbol, upload.timeframe, upload.hash))
        throw new AppError('conflict', `${version} has this very model on ${symbol} ${upload.timeframe} already.`, {
          field: 'onnx',
        })
      const id = await models.insert(tx, upload, nowMs, heldBack(comparison, owned))
      await recordAudit(tx, doer, {
        action: 'model.uploaded',
        subject: { type: 'model', id: version },
        after: {
          artifactId: id,
          hash: upload.hash,
          symbol,
          timeframe: upload.timeframe,
          name: upload.card.declared.name,
          accuracy: upload.shown.accuracy.accuracy,
        },
      })
      await recordModelActivity(tx, 'model.uploaded', doer.userId, version, `${symbol} ${upload.timeframe}`)
      // Read here, since users that see it may delete it from now on.
      return { version, stage: owned.stage, artifact: await models.detail(tx, id) }
    })
  }
  return {
    ...removalOf(deps),

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
      await requireRoom(db.orm, doer)
      return turns.admit(doer.userId, async () => {
        const files = await receive()
        const { timeframe } = cardOf(files)
        return turns.inTurn(`${version} ${symbol} ${timeframe}`, () => take(files, version, symbol, doer))
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
