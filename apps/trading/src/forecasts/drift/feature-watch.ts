import { setImmediate as otherWork } from 'node:timers/promises'
import type { FeatureDrift } from '@shapecast/contracts/drift'
import { AppError } from '@shapecast/contracts/errors'
import type { ModelArtifact } from '@shapecast/contracts/ml'
import { driftColumns, driftingInputs, HISTORY_CANDLES } from '@shapecast/ml/drift/drift-columns'
import type { DriftSubject } from '@shapecast/ml/drift/drift-subject'
import { inputLabel, shiftWords } from '@shapecast/ml/drift/drift-words'
import { featureDrift, LONGEST_STRETCH, SHORTEST_STRETCH, stretchLength } from '@shapecast/ml/drift/feature-drift'
import { profileTraining, type TrainingProfile } from '@shapecast/ml/drift/training-profile'
import { createCache } from '../../ground/cache.ts'
import type { CandleSource } from '../../market/series-market.ts'

/** Of a long training the newest candles stand for all. */
const MOST_TRAINED = 10_000
const KEPT_PROFILES = 64

/** What is known of the features, or why nothing is. */
export type FeatureFinding = { features: FeatureDrift; note: null } | { features: null; note: string }

const notKnown = (note: string): FeatureFinding => ({ features: null, note })

/** Compares what an artifact looks at now with what it was trained on; what training looked like is worked out once. */
export const createFeatureWatch = ({ load }: CandleSource) => {
  const profiles = createCache<TrainingProfile>({ max: KEPT_PROFILES })

  /** The inputs over training, and what they were like in stretches of `stretch` candles. */
  const trainedColumns = async (artifact: ModelArtifact, subject: DriftSubject, names: string[]) => {
    const { from, to } = subject.trained!
    const loaded = await load(artifact.symbol, artifact.timeframe, {
      fromMs: subject.dataFrom,
      toMs: to,
      limit: MOST_TRAINED + HISTORY_CANDLES,
    })
    await otherWork()
    return driftColumns(loaded, artifact.timeframe, names, { fromMs: from, toMs: to }, MOST_TRAINED)
  }

  /** A market that cannot be read is a reason, not a failure: the score is known all the same. */
  return (artifact: ModelArtifact, subject: DriftSubject): Promise<FeatureFinding> =>
    compare(artifact, subject).catch((error: unknown) => {
      if (error instanceof AppError) return notKnown(error.message)
      throw error
    })

  async function compare(artifact: ModelArtifact, subject: DriftSubject): Promise<FeatureFinding> {
    const { trained } = subject
    if (trained === null)
      return notKnown('Nobody here knows which candles it was trained on, so that nothing can be compared with them.')
    const names = driftingInputs(subject.inputs)
    if (names.length === 0)
      return notKnown('It looks at nothing of its own series but the clock, and a clock does not drift.')
    const { symbol, timeframe } = artifact
    const loaded = await load(symbol, timeframe, { limit: LONGEST_STRETCH + HISTORY_CANDLES })
    await otherWork()
    const since = { fromMs: trained.to + 1, toMs: Number.POSITIVE_INFINITY }
    const recent = driftColumns(loaded, timeframe, names, since, LONGEST_STRETCH)
    const known = recent[0]?.length ?? 0
    if (known < SHORTEST_STRETCH)
      return notKnown(
        `Fewer than ${SHORTEST_STRETCH} candles since training are stored (${known}): too few to compare.`,
      )
    const key = `${artifact.hash}/${symbol}/${timeframe}/${Math.floor(known / 50)}`
    const profile = await profiles.get(key, async () => {
      const columns = await trainedColumns(artifact, subject, names)
      await otherWork()
      const stretch = stretchLength(columns[0]?.length ?? 0, known)
      return profileTraining(names, stretch === 0 ? [] : columns, stretch)
    })
    if (profile.stretch === 0) {
      profiles.forget(key)
      return notKnown('Too few of the candles that it was trained on are stored to compare with. Import them again.')
    }
    await otherWork()
    const drift = featureDrift(
      profile,
      recent.map((column) => column.subarray(column.length - profile.stretch)),
    )
    return {
      features: {
        ...drift,
        from: loaded.ts[Math.max(0, loaded.length - profile.stretch)]!,
        to: loaded.ts[loaded.length - 1]!,
        trainedFrom: trained.from,
        trainedTo: trained.to,
        features: drift.features.map((shift) => ({
          ...shift,
          label: inputLabel(shift.name, timeframe),
          words: shiftWords(shift),
        })),
      },
      note: null,
    }
  }
}
