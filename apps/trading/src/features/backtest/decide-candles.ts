import type { ConsensusConfig } from '@shapecast/contracts/bots'
import { consensusColumns } from '@shapecast/engine/consensus'
import { DECISION } from '@shapecast/engine/decisions'
import type { Forecasts } from './predict-candles.ts'

/** A model's votes; with `requireEdge` one whose edge after costs is not positive votes HOLD. */
const votesOf = (model: Forecasts, requireEdge: boolean): Int8Array =>
  requireEdge ? model.signal.map((code, i) => (model.edgeBps[i]! > 0 ? code : DECISION.HOLD)) : model.signal

/**
 * A decision for each candle: of one model its signal, of an ensemble what the consensus comes to. `confidence` is the
 * one that stands behind a BUY or SELL, NaN elsewhere.
 */
export function decideCandles(
  models: readonly Forecasts[],
  consensus: ConsensusConfig | null,
  requireEdge: boolean,
): { decisions: Int8Array; confidence: Float64Array } {
  const votes = models.map((model) => ({ signals: votesOf(model, requireEdge), confidences: model.confidence }))
  const [only] = votes
  const { decisions, confidences } =
    consensus === null || votes.length === 1
      ? { decisions: only!.signals, confidences: only!.confidences }
      : consensusColumns(votes, consensus)
  return {
    decisions,
    confidence: Float64Array.from(confidences, (value, i) => (decisions[i] === DECISION.HOLD ? Number.NaN : value)),
  }
}
