import { AppError } from '@shapecast/contracts/errors'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'
import type { Thread } from '@shapecast/platform/threads/open-thread'
import type { CandleSource } from '../market/series-market.ts'
import { createLendingCache } from './lending-cache.ts'
import { withBeside } from './load-beside.ts'
import type { ModelStore } from './model-store.ts'
import type { ModelCalls } from './model-thread.ts'
import { openApart, openModelThread } from './predict-apart.ts'

/** Open models a process keeps; one with both networks takes a few MB, an upload a process of its own. */
const OPEN_AT_MOST = 8

/** An artifact that speaks for its version, whether or not it is the active one. */
export interface PinnedArtifact {
  readonly artifactId: string
  readonly hash: string
}

/** A version on a series, ready to predict. */
export interface OpenModel extends PinnedArtifact {
  readonly version: string
  readonly predictor: ModelPredictor
}

/** Lends the predictors of this process, opened once per artifact in a thread that only forecasts. */
export const createPredictors = (
  store: Pick<ModelStore, 'active' | 'stored'>,
  source: CandleSource,
  startThread = openModelThread,
) => {
  const open = createLendingCache<ModelPredictor>(OPEN_AT_MOST)
  let running: Thread<ModelCalls> | undefined

  const thread = (): Thread<ModelCalls> => {
    if (running === undefined || !running.alive) {
      // What was open in a thread that ended is gone with it.
      void open.close()
      running = startThread()
    }
    return running
  }

  /** The active artifact, without opening it. Throws `model_not_trained` if there is none. */
  async function find(version: string, symbol: string, timeframe: string): Promise<PinnedArtifact> {
    const head = await store.active(version, symbol, timeframe)
    if (head === undefined) throw notTrained(version, symbol, timeframe)
    return { artifactId: head.id, hash: head.hash }
  }

  return {
    /** Starts what forecasting needs, so that the first caller does not wait for it. */
    warmUp: (): void => void thread(),

    /**
     * Calls `use` with the active artifact of a version on a series, or with the one that is `pinned`. Throws `model_not_trained` if there is none,
     * with what to do.
     */
    async use<R>(
      version: string,
      symbol: string,
      timeframe: string,
      use: (model: OpenModel) => Promise<R>,
      pinned?: PinnedArtifact,
    ): Promise<R> {
      const { artifactId, hash } = pinned ?? (await find(version, symbol, timeframe))
      const lender = thread()
      const load = async (): Promise<ModelPredictor> => {
        const stored = await store.stored(artifactId)
        if (stored === undefined) throw notTrained(version, symbol, timeframe)
        return withBeside(await openApart(lender, stored), source, symbol)
      }
      // By id: one uploaded file may serve several series, and what is known of it differs.
      return open.lend(artifactId, load, (predictor) => use({ version, artifactId, hash, predictor }))
    },

    find,

    async close(): Promise<void> {
      await open.close()
      await running?.close()
    },
  }
}
export type Predictors = ReturnType<typeof createPredictors>

const notTrained = (version: string, symbol: string, timeframe: string) =>
  new AppError(
    'model_not_trained',
    `${version} is not trained on ${symbol} ${timeframe}. Train it on that series first, or choose one that is.`,
  )
