import { AppError } from '@shapecast/contracts/errors'
import { type LeakAudit, leakVerdict } from '@shapecast/contracts/leak-audit'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import type { Logger } from '@shapecast/platform/logging'
import { lossWords } from './active-artifacts.ts'
import type { NewArtifact } from './artifact-rows.ts'
import { type JudgeDeps, judgeArtifact } from './judge-artifact.ts'

export interface JudgeCandidateDeps extends JudgeDeps {
  /** Audits an artifact that is not stored yet for knowledge of the future. Throws a TimeoutError where it takes too long. */
  audit(candidate: NewArtifact, signal: AbortSignal): Promise<LeakAudit>
  log: Logger
}

/** How a new artifact stands against the active one. */
export interface JudgedCandidate {
  comparison: ArtifactComparison
  /** Null where it was not audited: it does not take over, or cannot be. */
  audit: LeakAudit | null
}

/**
 * Holds a new artifact against the active one of its series, as `judgeArtifact` does, and audits it where it would take over:
 * one that leaks has figures that mean nothing, and predicts not for a moment in the place of an honest one. Null for the
 * first of its series, which displaces nothing and is audited once it is stored.
 */
export async function judgeCandidate(
  deps: JudgeCandidateDeps,
  candidate: NewArtifact,
  signal: AbortSignal = new AbortController().signal,
): Promise<JudgedCandidate | null> {
  const comparison = await judgeArtifact(deps, candidate)
  if (comparison === null) return null
  if (!comparison.noWorse) return { comparison, audit: null }
  const audit = await auditOf(deps, candidate, signal)
  if (audit === null || leakVerdict(audit) !== 'failed') return { comparison, audit }
  const failed = audit.checks.filter(({ passed, inconclusive }) => !passed && inconclusive !== true)
  const names = failed.map(({ name }) => name.toLowerCase()).join(', ')
  const verdict = `It failed its leak audit (${names}), which makes its figures no measure, so the active artifact stays.${lossWords(comparison)}`
  return { comparison: { ...comparison, noWorse: false, verdict }, audit }
}

/** Null where it cannot be audited, for want of candles or of time: nothing is known against it then. */
async function auditOf(
  { audit, log }: JudgeCandidateDeps,
  candidate: NewArtifact,
  signal: AbortSignal,
): Promise<LeakAudit | null> {
  try {
    return await audit(candidate, signal)
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    if (signal.aborted || !(error instanceof AppError || isLate)) throw error
    log.warn({ err: error, version: candidate.version }, 'a new model could not be audited before it takes over')
    return null
  }
}
