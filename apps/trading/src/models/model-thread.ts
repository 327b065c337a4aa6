import type { Candles } from '@shapecast/engine/candles'
import type { Beside } from '@shapecast/ml/forecast/beside-series'
import type { ModelPredictor } from '@shapecast/ml/forecast/model-traits'
import { serveCalls } from '@shapecast/platform/threads/serve-calls'
import { openPredictor, type StoredModel } from './open-predictor.ts'

const open = new Map<number, ModelPredictor>()
let opened = 0

interface PredictCall {
  key: number
  candles: Candles
  from: number
  to: number
  beside: Beside | undefined
}

const modelCalls = {
  async open(stored: StoredModel) {
    const predictor = await openPredictor(stored)
    const key = opened++
    open.set(key, predictor)
    return { key, traits: predictor.traits, historyCandles: predictor.historyCandles }
  },
  /** Forecasts of candles `from` … `to`−1. */
  predict: ({ key, candles, from, to, beside }: PredictCall) => open.get(key)!.predict(candles, { from, to }, beside),
  async close(key: number) {
    const predictor = open.get(key)
    open.delete(key)
    await predictor?.close()
  },
}
/** What a thread with open models answers. */
export type ModelCalls = typeof modelCalls

serveCalls(modelCalls)
