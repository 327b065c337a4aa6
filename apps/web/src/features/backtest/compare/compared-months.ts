import { formatDay, formatMonth } from '#kit/format/time.ts'
import { partReturnPct, splitCurve } from '../results/periods.ts'
import { baseAt, type Course } from './compared-runs.ts'

/** Returns of several courses month by month, over the range that all of them have. */
export interface ComparedMonths {
  readonly months: readonly {
    /** Open time of the first candle, ms. */
    readonly from: number
    readonly name: string
    /** Before the stretch that no model has seen. */
    readonly isSeen: boolean
  }[]
  /** Percent, course by course and month by month; null where a course has no candle of a month. */
  readonly returnsPct: readonly (readonly (number | null)[])[]
}

const within = (course: Course, from: number, to: number): Course => ({
  initialBalance: baseAt(course, from),
  equityCurve: course.equityCurve.filter(({ t }) => t >= from && t <= to),
  trades: [],
})

/** A month that holds `border`, where the unseen stretch begins, is split there: `Nov 2026`, then `from 6 Nov`. */
export function comparedMonths(courses: readonly Course[], border: number): ComparedMonths {
  const from = Math.max(...courses.map(({ equityCurve }) => equityCurve[0]?.t ?? 0))
  const to = Math.min(...courses.map(({ equityCurve }) => equityCurve.at(-1)?.t ?? 0))
  const split = courses.map((course) => splitCurve(within(course, from, to), 'months', border))
  const starts = (split[0] ?? []).map((part) => part.from)
  return {
    months: starts.map((start) => ({
      from: start,
      name: start === border && new Date(start).getUTCDate() > 1 ? `from ${formatDay(start)}` : formatMonth(start),
      isSeen: start < border,
    })),
    returnsPct: split.map((parts) =>
      starts.map((start) => {
        const part = parts.find((one) => one.from === start)
        return part === undefined ? null : partReturnPct(part)
      }),
    ),
  }
}
