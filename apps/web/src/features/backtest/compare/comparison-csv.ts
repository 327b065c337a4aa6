import type { RunComparison } from '@shapecast/contracts/run-comparison'

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

type Curve = Pick<RunComparison['curves'][number], 'points'> & { readonly name: string }

/** The curves as a CSV with UTC times: percent since the unseen stretch began, a column for each. */
export function comparisonCsv(curves: readonly Curve[]): string {
  const columns = curves.map(({ points }) => new Map(points))
  const times = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort((a, b) => a - b)
  const rows = times.map((t) =>
    [new Date(t).toISOString(), ...columns.map((column) => column.get(t)?.toFixed(4) ?? '')].join(','),
  )
  return `${[['time', ...curves.map(({ name }) => quoted(name))].join(','), ...rows].join('\n')}\n`
}
