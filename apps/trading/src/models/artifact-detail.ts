import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { modelVerdict } from '@shapecast/engine/verdicts/model-verdict'
import { ModelCard } from '@shapecast/ml/artifact/card'
import { directionVerdict } from '@shapecast/ml/evaluate/accuracy'
import { inputNames } from '@shapecast/ml/foreign/foreign-card'
import { UploadCard, uploadFacts } from '@shapecast/ml/foreign/upload-card'
import { type ArtifactRow, artifactOf, doubted } from './artifact-rows.ts'

type Found = Omit<ArtifactDetail, keyof ReturnType<typeof artifactOf> | 'active' | 'comparison'>

/** What cards of both kinds say. */
const saidBy = ({ evaluation, data }: Pick<ModelCard | UploadCard, 'evaluation' | 'data'>) => ({
  evaluation: { ...evaluation, accuracy: doubted(evaluation.accuracy) },
  verdict: modelVerdict(evaluation, directionVerdict(evaluation.accuracy)),
  candles: { count: data.candles, from: data.from, to: data.to, hash: data.hash },
})

function ofTrained(stored: unknown): Found {
  const card = ModelCard.parse(stored)
  const { features: _named, ...settings } = card.settings
  return {
    engine: card.engine ?? null,
    ...saidBy(card),
    learningCurves: card.networks,
    settings,
    features: card.features.names,
    signalThreshold: card.signal.threshold,
    roundTripCostBps: card.signal.roundTripCostBps,
    upload: null,
  }
}

function ofUpload(stored: unknown, uploadedBy: string | null): Found {
  const card = UploadCard.parse(stored)
  return {
    engine: null,
    ...saidBy(card),
    learningCurves: null,
    settings: null,
    features: inputNames(card.declared),
    signalThreshold: card.declared.signalThreshold,
    roundTripCostBps: card.roundTripCostBps,
    upload: { ...uploadFacts(card), uploadedBy },
  }
}

/** An artifact as its model page shows it: the figures of its card, and how it stands. */
export const artifactDetail = (row: ArtifactRow): ArtifactDetail => ({
  ...artifactOf(row),
  active: row.active,
  comparison: row.comparison,
  ...(row.origin === 'uploaded' ? ofUpload(row.card, row.uploadedBy) : ofTrained(row.card)),
})
