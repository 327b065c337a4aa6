import { AppError } from '@shapecast/contracts/errors'
import type { ModelPredictor } from '@shapecast/ml/model-traits'
import { createLendingCache } from './lending-cache.ts'
import type { ModelStore } from './model-store.ts'
import { openPredictor } from './open-predictor.ts'

/** Open models a process keeps; one with both networks takes a few MB, an upload a process of its own. */
const OPEN_AT_MOST = 8

/** A version on a series, ready to predict. */
export interface OpenModel {
  version: string
  artifactId: string
  hash: string
  predictor: ModelPredictor
}

/** Lends the predictors of this process, opened once per artifact. */
export const createPredictors = (store: ModelStore) => {
  const open = createLendingCache<ModelPredictor>(OPEN_AT_MOST)

  return {
    /**
     * Calls `use` with the active artifact of a version on a series. Throws `model_not_trained` where there is none,
     * with what to do.
     */
    async use<R>(
      version: string,
      symbol: string,
      timeframe: string,
      use: (model: OpenModel) => Promise<R>,
    ): Promise<R> {
      const head = await store.active(version, symbol, timeframe)
      if (head === undefined) throw notTrained(version, symbol, timeframe)
      const load = async (): Promise<ModelPredictor> => {
        const stored = await store.stored(head.id)
        if (stored === undefined) throw notTrained(version, symbol, timeframe)
        return openPredictor(stored)
      }
      // By id: one uploaded file may serve several series, and what is known of it differs.
      return open.lend(head.id, load, (predictor) => use({ version, artifactId: head.id, hash: head.hash, predictor }))
    },

    /** Throws `model_not_trained` where the version has no artifact on the series. */
    async require(version: string, symbol: string, timeframe: string): Promise<void> {
      if ((await store.active(version, symbol, timeframe)) === undefined) throw notTrained(version, symbol, timeframe)
    },

    close: (): Promise<void> => open.close(),
  }
}
export type Predictors = ReturnType<typeof createPredictors>

const notTrained = (version: string, symbol: string, timeframe: string) =>
  new AppError(
    'model_not_trained',
    `${version} is not trained on ${symbol} ${timeframe}. Train it on that series first, or choose one that is.`,
  )
