import { baseAt, type Course } from './compared-runs.ts'

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The curves as a CSV with UTC times: percent since the unseen stretch began, a column for each course. */
export function comparisonCsv(courses: readonly { name: string; course: Course }[], from: number): string {
  const columns = courses.map(({ course }) => {
    const base = baseAt(course, from)
    return new Map(course.equityCurve.map(({ t, equity }) => [t, base === 0 ? 0 : 100 * (equity / base - 1)]))
  })
  const times = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort((a, b) => a - b)
  const rows = times.map((t) =>
    [new Date(t).toISOString(), ...columns.map((column) => column.get(t)?.toFixed(4) ?? '')].join(','),
  )
  return `${[['time', ...courses.map(({ name }) => quoted(name))].join(','), ...rows].join('\n')}\n`
}
