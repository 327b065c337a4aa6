import { createDeflatedSharpe, type DeflatedSharpe, type SharpeTrials } from './deflated-sharpe.ts'
import { createOverfitting, FEWEST_ROWS, type Overfitting } from './overfitting.ts'
import type { RealityCheck } from './reality-check.ts'
import { minTrackRecord } from './sharpe.ts'

const LEVEL = 0.05

/** What a search found, beside what luck alone finds. */
export interface SearchVerdict {
  /** By the reality check alone. `cannot_tell`: the best is no better than luck as far as these periods can say. */
  readonly code: 'better_than_luck' | 'cannot_tell'
  readonly realityCheck: RealityCheck
  readonly deflatedSharpe: DeflatedSharpe
  /** Days after which a Sharpe ratio like that of the best would be above luck's with 95 %; ∞ where it is not above it. */
  readonly minTrackRecordDays: number
  /** Shown, and never judged by; null of one trial, and of fewer than 32 periods. */
  readonly overfitting: Overfitting | null
}

/** What some trials of a search tell for its verdict, beside the reality check. Plain data. */
export interface VerdictPart {
  readonly sharpe: Readonly<SharpeTrials>
  readonly blocks: readonly Float64Array[]
}

/**
 * Judges a search by its reality check and by the series of returns of all its trials, given one after the other: of each the
 * daily net return less the mean share held times the coin's return (ratios), the same `rows` days, oldest first. Keeps 32
 * numbers a trial.
 */
export function createSearchVerdict(rows: number) {
  const deflated = createDeflatedSharpe(rows)
  const overfitting = rows < FEWEST_ROWS ? null : createOverfitting(rows)
  return {
    /** Throws a RangeError for another number of rows. */
    add(series: Float64Array): void {
      deflated.add(series)
      overfitting?.add(series)
    },

    told: (): VerdictPart => ({ sharpe: deflated.told, blocks: overfitting?.told ?? [] }),

    /** Takes the trials that follow from what they told elsewhere. The same parts in the same order give the same bits. */
    join({ sharpe, blocks }: VerdictPart): void {
      deflated.join(sharpe)
      overfitting?.join(blocks)
    },

    /** `earlier`: what was tried on the series before. Throws a RangeError if there is no trial. */
    result(realityCheck: RealityCheck, earlier = 0): SearchVerdict {
      const deflatedSharpe = deflated.result(earlier)
      return {
        code: realityCheck.p <= LEVEL ? 'better_than_luck' : 'cannot_tell',
        realityCheck,
        deflatedSharpe,
        minTrackRecordDays: minTrackRecord(deflatedSharpe.moments, deflatedSharpe.expectedBest),
        overfitting: realityCheck.trials < 2 ? null : (overfitting?.result() ?? null),
      }
    },
  }
}
