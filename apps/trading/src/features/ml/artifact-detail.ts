import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { ModelCard } from '@shapecast/ml/card'
import { type ArtifactRow, artifactOf } from './model-store.ts'

/** An artifact as its model page shows it: the figures of its card, and how it stands. */
export function artifactDetail({ card: stored, active, comparison, ...row }: ArtifactRow): ArtifactDetail {
  const card = ModelCard.parse(stored)
  const { lstm, transformer } = card.networks
  const { features: _named, ...settings } = card.settings
  return {
    ...artifactOf(row),
    active,
    comparison,
    evaluation: card.evaluation,
    learningCurves: { lstm, transformer },
    candles: { count: card.data.candles, from: card.data.from, to: card.data.to, hash: card.data.hash },
    settings,
    features: card.features.names,
    signalThreshold: card.signal.threshold,
    roundTripCostBps: card.signal.roundTripCostBps,
  }
}
