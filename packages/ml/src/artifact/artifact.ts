import { z } from 'zod'
import { ModelCard } from './card.ts'
import { canonicalJson, packFiles, readPart, sha256, unpackFiles } from './packed-files.ts'

/** A trained model: its card and its binary files by name (networks, optimiser states, conformal scores). */
export interface ModelArtifactFile {
  card: ModelCard
  files: Record<string, Uint8Array>
}

export const ARTIFACT_MAGIC = 'SHAPECAST-MODEL\n'

/**
 * SHA-256 (hex) over the card in canonical JSON and the hashes of the files in order of their names. The time of
 * creation is left out: training again on the same candles with the same settings gives the same hash.
 */
export function artifactHash(artifact: ModelArtifactFile): string {
  const { createdAtMs: _left, ...card } = artifact.card
  const files = Object.keys(artifact.files)
    .sort()
    .map((name) => ({ name, sha256: sha256(artifact.files[name]!) }))
  return sha256(new TextEncoder().encode(canonicalJson({ card, files })))
}

/** The artifact as one file: see `packFiles`. */
export const packArtifact = ({ card, files }: ModelArtifactFile): Uint8Array =>
  packFiles(ARTIFACT_MAGIC, { card }, files)

/** The artifact in a packed file. Throws `unprocessable` where the file is torn, altered, or of another version. */
export function unpackArtifact(packed: Uint8Array): ModelArtifactFile {
  const { manifest, files } = unpackFiles(ARTIFACT_MAGIC, packed)
  return { card: readPart(z.object({ card: ModelCard }), manifest).card, files }
}
