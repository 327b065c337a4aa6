import { copyCandles } from '@shapecast/engine/candles'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'
import { openThread, type Thread } from '@shapecast/platform/threads/open-thread'
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
