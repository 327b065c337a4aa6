import type { Edge } from '@shapecast/contracts/bot-evidence'
import { formatCounted, formatFixed, formatSigned } from '#kit/format/number.ts'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Note, Text } from '#kit/ui/primitives.tsx'

interface Row {
  readonly name: string
  readonly edge: number
  readonly after: string
}

const COLUMNS: readonly Column<Row>[] = [
  { head: 'If the true edge over holding is', cell: ({ name }) => name, keep: true },
  { head: 'Edge, points a year', cell: ({ edge }) => formatSigned(edge, 1), figure: true },
  { head: 'Told from luck after', cell: ({ after }) => after, figure: true, keep: true },
]

/** How long it takes until an edge as it was in the past, half of it and a quarter could be told from luck. */
export function TimeToKnow({ edge: { pctAYear, volatilityPct, years } }: { edge: Edge }) {
  const part = (name: string, share: number): Row => ({
    name,
    edge: share * pctAYear,
    after: yearWords(years === null ? null : years / share ** 2),
  })
  const rows: Row[] = [
    part('As in the past', 1),
    part('Half is left, the usual case', 1 / 2),
    part('A quarter is left', 1 / 4),
    { name: 'None', edge: 0, after: 'never; wrongly in 5%' },
  ]
  return (
    <section aria-label="When will I know?">
      <Text size="h2" as="h4" above={1}>
        When will I know?
      </Text>
      <Text size="small" tone="text2">
        {pctAYear > 0
          ? `An edge of this size over holding as much could be told from luck after ${yearWords(years)}. Until then its return says little.`
          : `On these candles it was no better than holding as much on average; that it is worse could be told from luck after ${yearWords(years)}.`}
      </Text>
      <DataTable label="When will I know?" columns={COLUMNS} rows={rows} rowKey={({ name }) => name} />
      <Note as="p">
        {formatSigned(pctAYear, 1)} points a year over holding as much on average, moving{' '}
        {formatFixed(volatilityPct, 1)}% a year around it. Of bots with such an edge half are told by then, looked at
        daily.
      </Note>
    </section>
  )
}

/** `about 14 months`, `about 4.7 years`, `about 120 years`; `never` without an edge. */
export function yearWords(years: number | null): string {
  if (years === null || years > 1e6) return 'never'
  if (years < 2) return `about ${formatCounted(Math.max(1, Math.round(12 * years)), 'month')}`
  return `about ${formatFixed(years, years < 20 ? 1 : 0)} years`
}
