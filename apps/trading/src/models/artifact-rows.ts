import { type AccuracyReport, CREDIBLE_ACCURACY } from '@shapecast/contracts/evaluation'
import type { ModelArtifact } from '@shapecast/contracts/ml'
import { directionVerdict } from '@shapecast/ml/evaluate/accuracy'
import { getTableColumns } from 'drizzle-orm'
import { matching } from '../ground/matching.ts'
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
  /** Packed. */
  bytes: Uint8Array
}

const { bytes: _bytes, card: _card, ...SHOWN } = getTableColumns(artifacts)

/** An artifact with its standing, without its card and its bytes. */
export { SHOWN }
/** With its card, without its bytes. */
export const FULL = { ...SHOWN, card: artifacts.card }
type ShownRow = Pick<typeof artifacts.$inferSelect, keyof typeof SHOWN>
export type ArtifactRow = Pick<typeof artifacts.$inferSelect, keyof typeof FULL>
export type ArtifactHead = Pick<ShownRow, 'id' | 'version' | 'hash' | 'origin' | 'shown'>

/** The report, whose verdict says where nobody should believe its accuracy. */
export const doubted = <R extends AccuracyReport>(report: R): R =>
  report.accuracy > CREDIBLE_ACCURACY
    ? { ...report, verdict: `not credible without a live record, as above 65% nothing is; ${report.verdict}` }
    : report

export const artifactOf = (row: ShownRow): ModelArtifact => {
  const { id, origin, venue, symbol, hash, shown, createdAtMs } = row
  return {
    id,
    origin,
    venue,
    symbol,
    timeframe: row.timeframe as ModelArtifact['timeframe'],
    hash,
    ...shown,
    accuracy: doubted(shown.accuracy),
    direction: directionVerdict(shown.accuracy),
    createdAt: createdAtMs,
  }
}

/** Artifacts of one version on one series. */
export const isOfVersion = ({ version, venue, symbol, timeframe }: Series & { version: string }) =>
  matching(artifacts, { version, venue, symbol, timeframe })
