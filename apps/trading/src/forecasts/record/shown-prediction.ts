import type { Prediction } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { signalVerdict } from '@shapecast/engine/verdicts/signal-verdict'
import type { KeptMedians } from './network-medians.ts'

/** What a model said at the close of a candle, as tables keep it. */
interface Said extends KeptMedians, Pick<Prediction, 'signal' | 'confidence' | 'stopLoss' | 'edgeBps' | 'reasoning'> {
  /** Close, quote. */
  readonly price: number
}

/** The same as replies have it. `costBps` of a round trip is null where it was not kept. */
export const shownPrediction = (
  { signal, confidence, price, lstm, transformer, stopLoss, edgeBps, reasoning }: Said,
  at: { ts: number; timeframe: Timeframe },
  by: { version: string; hash: string; costBps: number | null; horizon: number },
): Prediction => ({
  timestamp: at.ts,
  aligned_ts: at.ts + TIMEFRAME_MS[at.timeframe],
  signal,
  confidence,
  current_price: price,
  lstm_prediction: lstm,
  transformer_prediction: transformer,
  stopLoss,
  reasoning,
  edgeBps,
  verdict: signalVerdict({ signal, stopLoss, edgeBps, current_price: price }, by.costBps, by.horizon),
  version: by.version,
  hash: by.hash,
})
