import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import { NetworkName } from '@shapecast/contracts/networks'
import type { TrainProgress } from '@shapecast/ml/train/progress-meter'
import type { TrainCheckpoint } from '@shapecast/ml/train/train-networks'
import type { Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { eq } from 'drizzle-orm'
import type { Work } from '../ground/jobs/kind.ts'
import type { CandleSource } from '../market/series-market.ts'
import { insertArtifact } from './active-artifacts.ts'
import type { NewArtifact } from './artifact-rows.ts'
import type { CheckpointStore } from './checkpoint-store.ts'
import { artifacts } from './tables.ts'
import { replaced, type Traders } from './traders.ts'
import type { TrainArtifactInput } from './train-artifact.ts'
import { NOT_STARTED, type Shown, type TrainingRequest, type TrainingResult } from './training-kind.ts'
import { outcomeOf } from './training-reads.ts'
import { auditModel, recordModelActivity } from './versions.ts'

export interface TrainingWorkDeps {
  candles: CandleSource
  /** `trainArtifact`, as a plug. */
  train(input: TrainArtifactInput): Promise<NewArtifact>
  checkpoints: CheckpointStore
  /** Holds the new artifact against the one that predicts now, if any. */
  judge(artifact: NewArtifact): Promise<ArtifactComparison | null>
  /** Tells who trades on the version that another artifact predicts now. */
  traders: Pick<Traders, 'tell'>
  log: Logger
  now(): number
}

const shown = ({ network, phase, ...progress }: TrainProgress): Shown => ({
  ...progress,
  phase: network === null ? phase : `${phase}: ${network}`,
})

/**
 * Trains, going on after the last whole epoch that a dead worker left. Where what it left is of other settings or of
 * another program version, it is thrown away and the training starts over.
 */
async function trainOn(deps: TrainingWorkDeps, id: string, input: TrainArtifactInput): Promise<NewArtifact> {
  const { checkpoints, train, log } = deps
  const resume = await checkpoints.load(id)
  const kept: TrainCheckpoint = { ...resume }
  const onCheckpoint = async (checkpoint: TrainCheckpoint) => {
    for (const network of NetworkName.options) {
      const state = checkpoint[network]
      if (state === undefined || state === kept[network]) continue
      kept[network] = state
      await checkpoints.save(id, network, state)
    }
  }
  if (Object.keys(resume).length === 0) return train({ ...input, onCheckpoint })
  try {
    return await train({ ...input, onCheckpoint, resume })
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'unprocessable')) throw error
    log.warn({ err: error, training: id }, 'a training could not go on where it stood and starts over')
    await checkpoints.discard(id)
    return train({ ...input, onCheckpoint })
  }
}

interface Trained {
  artifact: NewArtifact
  comparison: ArtifactComparison | null
  /** How long the training took. */
  seconds: number
}

export type TrainingWork = Work<TrainingRequest, Shown, TrainingResult, Trained>

/**
 * Carries out trainings; one that a dead worker left behind goes on after its last whole epoch, on the same candles and to
 * the same result.
 */
export const trainingWork = (deps: TrainingWorkDeps): TrainingWork => ({
  async run({ id, payload }, { signal, report, write }) {
    const { version, venue, symbol, timeframe, fromMs, toMs, params } = payload
    let latest: Shown = { ...NOT_STARTED, phase: 'loading candles' }
    await write(latest)
    const begun = deps.now()
    const artifact = await trainOn(deps, id, {
      series: { venue, symbol, timeframe },
      version,
      candles: await deps.candles.load(symbol, timeframe, { fromMs, toMs }),
      params,
      createdAtMs: deps.now(),
      onProgress(made) {
        latest = shown(made)
        report(latest)
      },
      signal,
      now: deps.now,
    })
    const seconds = (deps.now() - begun) / 1000
    await write({ ...latest, phase: 'comparing', secondsLeft: null })
    return { artifact, comparison: await deps.judge(artifact), seconds }
  },

  async complete(tx, { userId, payload, progress, attempts }, { artifact, comparison, seconds }, nowMs) {
    const maker = { userId, isManager: payload.byManager, isOffer: payload.isOffer }
    const artifactId = await insertArtifact(tx, artifact, maker, nowMs, comparison)
    await recordTrained(tx, artifactId, artifact, userId, deps.traders, nowMs)
    const result = { artifactId, ...(attempts === 1 && { seconds }) }
    return { result, progress: { ...progress, current: progress.total, phase: 'done', secondsLeft: 0 } }
  },
})

/** On record: what was made, and whether it predicts from now on. */
async function recordTrained(
  tx: Orm,
  artifactId: string,
  artifact: NewArtifact,
  actorId: string | null,
  traders: Pick<Traders, 'tell'>,
  nowMs: number,
) {
  const { version, venue, symbol, timeframe, hash } = artifact
  const [made] = await tx
    .select({ active: artifacts.active, comparison: artifacts.comparison })
    .from(artifacts)
    .where(eq(artifacts.id, artifactId))
  await auditModel(tx, { userId: actorId, address: null }, 'model.trained', version, {
    after: { artifactId, venue, symbol, timeframe, hash, ...outcomeOf(made!) },
  })
  await recordModelActivity(tx, 'model.trained', actorId, version, `${symbol} ${timeframe}`)
  // Compared is what there was one to compare with, which it has replaced.
  if (made!.active && made!.comparison !== null)
    await traders.tell(tx, replaced(version, `${symbol} ${timeframe}`, actorId), nowMs)
}
