import { type AccuracyReport, CREDIBLE_ACCURACY } from '@shapecast/contracts/evaluation'
import type { ModelArtifact } from '@shapecast/contracts/ml'
import type { ModelOrigin } from '@shapecast/contracts/uploaded-model'
import { directionVerdict } from '@shapecast/ml/evaluate/accuracy'
import { and, eq } from 'drizzle-orm'
import { type ArtifactSummary, artifacts } from './tables.ts'

export interface Series {
  venue: string
  symbol: string
  timeframe: string
}

export interface NewArtifact extends Series {
  version: string
  /** Who uploaded it; left out where it was trained here. */
  uploadedBy?: string
  hash: string
  shown: ArtifactSummary
  card: unknown
  bytes: Uint8Array
}

export interface ArtifactHead {
  id: string
  version: string
  hash: string
  origin: ModelOrigin
  shown: ArtifactSummary
}

export const HEAD = {
  id: artifacts.id,
  version: artifacts.version,
  hash: artifacts.hash,
  origin: artifacts.origin,
  shown: artifacts.shown,
}

export const SHOWN = {
  id: artifacts.id,
  version: artifacts.version,
  origin: artifacts.origin,
  venue: artifacts.venue,
  symbol: artifacts.symbol,
  timeframe: artifacts.timeframe,
  hash: artifacts.hash,
  shown: artifacts.shown,
  createdAtMs: artifacts.createdAtMs,
}
type ShownRow = Pick<typeof artifacts.$inferSelect, keyof typeof SHOWN>

/** The report, whose verdict says where nobody should believe its accuracy. */
export const doubted = <R extends AccuracyReport>(report: R): R =>
  report.accuracy > CREDIBLE_ACCURACY
    ? { ...report, verdict: `not credible without a live record, as above 65% nothing is; ${report.verdict}` }
    : report

export const artifactOf = ({ version: _version, shown, createdAtMs, ...artifact }: ShownRow): ModelArtifact => ({
  ...artifact,
  timeframe: artifact.timeframe as ModelArtifact['timeframe'],
  ...shown,
  accuracy: doubted(shown.accuracy),
  direction: directionVerdict(shown.accuracy),
  createdAt: createdAtMs,
})

/** An artifact with its card and its standing, without its bytes. */
export const FULL = {
  ...SHOWN,
  card: artifacts.card,
  active: artifacts.active,
  comparison: artifacts.comparison,
  uploadedBy: artifacts.uploadedBy,
}
export type ArtifactRow = Pick<typeof artifacts.$inferSelect, keyof typeof FULL>

/** Artifacts of one series, whatever their version. */
export const isOfSeries = ({ venue, symbol, timeframe }: Series) =>
  and(eq(artifacts.venue, venue), eq(artifacts.symbol, symbol), eq(artifacts.timeframe, timeframe))
