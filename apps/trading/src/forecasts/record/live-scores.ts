import type { LiveScores, TrackRecord, WorthCalls } from '@shapecast/contracts/track-record'
import { liveVerdict } from '@shapecast/engine/verdicts/live-verdict'
import { effectiveOutcomes, wilsonInterval, Z95 } from '@shapecast/ml/evaluate/intervals'

/** Sums over the scored predictions of one version on one series at one horizon; a flat outcome is half a rise. */
export type ScoreSums = {
  version: string
  symbol: string
  timeframe: string
  horizon: number
  sealed: number
  /** Outcomes that rose or fell, and those that did neither. */
  moved: number
  flat: number
  hits: number
  majorityHits: number
  reversalHits: number
  brier: number
  climatologyBrier: number
  /** Squares of what climatology's squared error was more than the model's. */
  gainSquares: number
  /** Variances of that by chance alone, where outcomes come as climatology says: 4 (p − c)² c (1 − c). */
  chanceSquares: number
  /** Outcomes of calls that were expected to pay their costs, and those that did. */
  worthCalls: number
  paidCalls: number
}

export const total = <Row>(sums: readonly Row[], of: (row: Row) => number): number =>
  sums.reduce((sum, row) => sum + of(row), 0)

/** How often calls paid that were expected to. */
export function worthCalls(sums: readonly ScoreSums[]): WorthCalls {
  const made = total(sums, (row) => row.worthCalls)
  const paid = total(sums, (row) => row.paidCalls)
  const effective = total(sums, (row) => effectiveOutcomes(row.worthCalls, row.horizon))
  return { made, paid, interval: made === 0 ? null : wilsonInterval(paid / made, effective) }
}

/**
 * The figures of a track record. The gain over climatology varies at least as it does by chance alone: the few outcomes
 * of a young record often all turn out alike, and would seem to vary by nothing. Intervals count each series' outcomes as
 * the effective number that they are worth; that coins move together is not taken off, so the interval over several is
 * somewhat narrow.
 */
export function liveScores(sums: readonly ScoreSums[]): LiveScores {
  const sealed = total(sums, (row) => row.sealed)
  const moved = total(sums, (row) => row.moved)
  const flat = total(sums, (row) => row.flat)
  const outcomes = moved + flat
  const effective = total(sums, (row) => effectiveOutcomes(row.moved + row.flat, row.horizon))
  const counts = { sealed, outcomes, flatOutcomes: flat, effectiveOutcomes: effective }
  if (outcomes === 0) {
    const none = { accuracy: null, interval: null, majorityBaseline: null, reversalBaseline: null }
    return {
      ...counts,
      ...none,
      brier: null,
      climatologyBrier: null,
      brierSkill: null,
      brierSkillInterval: null,
      verdict: 'no outcome is known yet',
      direction: liveVerdict({ ...counts, ...none }),
    }
  }
  const share = (of: (row: ScoreSums) => number) => (moved === 0 ? null : total(sums, of) / moved)
  const accuracy = share((row) => row.hits)
  const directions = {
    accuracy,
    interval: accuracy === null ? null : wilsonInterval(accuracy, (effective * moved) / outcomes),
    majorityBaseline: share((row) => row.majorityHits),
    reversalBaseline: share((row) => row.reversalHits),
  }
  const brier = total(sums, (row) => row.brier) / outcomes
  const climatologyBrier = total(sums, (row) => row.climatologyBrier) / outcomes
  const gain = climatologyBrier - brier
  const chance = total(sums, (row) => row.chanceSquares) / outcomes
  const variance = Math.max(chance, total(sums, (row) => row.gainSquares) / outcomes - gain ** 2)
  const reach = Z95 * Math.sqrt(variance / effective)
  const skill = (value: number) => (climatologyBrier > 0 ? value / climatologyBrier : 0)
  return {
    ...counts,
    ...directions,
    brier,
    climatologyBrier,
    brierSkill: skill(gain),
    brierSkillInterval: [skill(gain - reach), skill(gain + reach)],
    verdict:
      Math.abs(gain) <= reach
        ? 'indistinguishable from knowing nothing'
        : `${gain > 0 ? 'better' : 'worse'} than knowing nothing`,
    direction: liveVerdict({ ...counts, ...directions }),
  }
}

type Course = TrackRecord['course']
type Unit = Course['unit']

const DAY_MS = 86_400_000
/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const FIRST_MONDAY = -3
/** Days up to which a record is shown by days, and by weeks. */
const DAYS_BY_DAY = 21
const DAYS_BY_WEEK = 26 * 7

const BEGINNING: Readonly<Record<Unit, (day: number) => number>> = {
  day: (day) => day * DAY_MS,
  week: (day) => (day - ((day - FIRST_MONDAY) % 7)) * DAY_MS,
  month: (day) => {
    const date = new Date(day * DAY_MS)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  },
}

/** The scores of days, since 1970, put together to days, weeks or months by how long the record is. In order of time. */
export function courseOf(days: readonly (ScoreSums & { day: number })[]): Course {
  const length = days.length === 0 ? 0 : days[days.length - 1]!.day - days[0]!.day + 1
  const unit: Unit = length <= DAYS_BY_DAY ? 'day' : length <= DAYS_BY_WEEK ? 'week' : 'month'
  const parts = Map.groupBy(days, ({ day }) => BEGINNING[unit](day))
  return {
    unit,
    parts: [...parts].map(([from, sums]) => {
      const { outcomes, accuracy, interval, brier, brierSkill, brierSkillInterval } = liveScores(sums)
      return { from, outcomes, accuracy, interval, brier, brierSkill, brierSkillInterval }
    }),
  }
}
