import { AppError } from '@shapecast/contracts/errors'
import { copyCandles } from '@shapecast/engine/candles'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'
import { openThread, type Thread } from '@shapecast/platform/threads/open-thread'
import type { CandleSource } from '../market/series-market.ts'
import { createLendingCache } from './lending-cache.ts'
import { withBeside } from './load-beside.ts'
import type { ModelStore } from './model-store.ts'
import type { ModelCalls } from './model-thread.ts'
import type { StoredModel } from './open-predictor.ts'

/** A thread for open models, so that forecasting holds up nothing else. */
export const openModelThread = (): Thread<ModelCalls> =>
  openThread<ModelCalls>(new URL('./model-thread.ts', import.meta.url))

/** Opens a stored model in a thread. Throws `unprocessable` where it does not run; its bytes are gone afterwards. */
export async function openApart(thread: Thread<ModelCalls>, stored: StoredModel): Promise<ModelPredictor> {
  const { key, traits, historyCandles } = await thread.call('open', stored)
  return {
    traits,
    historyCandles,
    async predict(candles, { from, to } = { from: 0, to: candles.length }, beside) {
      if (!(from >= 0 && from <= to && to <= candles.length))
        throw new RangeError(`The range ${from} … ${to} does not lie within the ${candles.length} candles.`)
      const offset = Math.max(0, from - historyCandles)
      const part = copyCandles(candles, offset, to)
      // What is sent is gone here, and others read the same candles.
      const others =
        beside && Object.fromEntries(Object.entries(beside).map(([name, of]) => [name, copyCandles(of, 0)]))
      const range = { from: from - offset, to: to - offset }
      const made = await thread.call('predict', { key, candles: part, ...range, beside: others })
      return { ...made, from, to }
    },
    async close() {
      if (thread.alive) await thread.call('close', key)
    },
  }
}

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
