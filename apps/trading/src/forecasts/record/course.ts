import type { TrackRecord } from '@shapecast/contracts/track-record'
import { liveScores, type ScoreSums } from './live-scores.ts'

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
