import { AppError } from '@shapecast/contracts/errors'
import { unpackArtifact } from '@shapecast/ml/artifact'
import { loadPredictor, type Predictor } from '@shapecast/ml/predict'
import { createLendingCache } from './lending-cache.ts'
import type { ModelStore } from './model-store.ts'

/** Open models a process keeps; one with both networks takes a few MB. */
const OPEN_AT_MOST = 8

/** A trained version, ready to predict. */
export interface OpenModel {
  version: string
  artifactId: string
  hash: string
  predictor: Predictor
}

/** Lends the predictors of this process, opened once per artifact. */
export const createPredictors = (store: ModelStore) => {
  const open = createLendingCache<Predictor>(OPEN_AT_MOST)

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
      const load = async (): Promise<Predictor> => {
        const bytes = await store.bytesOf(head.id)
        if (bytes === undefined) throw notTrained(version, symbol, timeframe)
        return loadPredictor(unpackArtifact(bytes))
      }
      return open.lend(head.hash, load, (predictor) =>
        use({ version, artifactId: head.id, hash: head.hash, predictor }),
      )
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
