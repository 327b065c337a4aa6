import { CHANNELS, type Delivery, deliveries, retryDelivery } from '@shapecast/contracts/notifications'
import { useState } from 'react'
import { UNKNOWN } from '#kit/format/number.ts'
import { formatDuration, formatTableTime, zoneWords } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Button, busyButton, ShowAll } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { answerWords, KINDS } from './notification-kinds.ts'

const FIRST = 10
const MOST = 200
/** While a message waits, its state is asked for this often. */
const WAITING_POLL_MS = 2_000
const isWaiting = ({ state }: Delivery): boolean => state === 'waiting'

/** Waiting is amber, given up is red. */
const STATE_COLORS = { delivered: colors.text, waiting: colors.warn, failed: colors.down } as const

/** What was sent by the channels in the last 7 days, and the way to try again. */
export function DeliveriesCard() {
  const [limit, setLimit] = useState(FIRST)
  const reply = useEndpointQuery(
    deliveries,
    { query: { limit } },
    {
      refetchInterval: ({ state }) => state.data?.deliveries.some(isWaiting) && WAITING_POLL_MS,
      placeholderData: (before) => before,
    },
  )
  const retry = useEndpointMutation(retryDelivery)
  const rows = reply.data?.deliveries
  const columns: readonly Column<Delivery>[] = [
    {
      get head() {
        return `Time, ${zoneWords()}`
      },
      cell: (row) => formatTableTime(row.createdAt),
      keep: true,
      whole: true,
    },
    { head: 'By', cell: (row) => CHANNELS[row.channel].label },
    {
      head: 'Kind',
      cell: (row) => (row.kind === 'test' ? 'Test' : row.kind === 'quiet' ? 'Several' : KINDS[row.kind].label),
    },
    { head: 'About', cell: (row) => row.about, quiet: true },
    {
      head: 'Answer',
      keep: true,
      cell: (row) => <span style={{ color: STATE_COLORS[row.state] }}>{answerWords(row)}</span>,
    },
    { head: 'Took', figure: true, cell: (row) => (row.tookMs === null ? UNKNOWN : formatDuration(row.tookMs)) },
    {
      head: 'Again',
      keep: true,
      cell: (row) =>
        row.state !== 'delivered' && (
          <Button
            size="small"
            aria-label={`Try ${row.about} now`}
            {...busyButton(retry.isPending, () => retry.mutate({ params: { id: row.id } }))}
          >
            Try now
          </Button>
        ),
    },
  ]
  return (
    <Card title="Last deliveries" flush>
      <FailureBanner error={retry.error} text="The message could not be tried again." inset />
      <QueryBoundary reply={reply} of="the deliveries" px={28} rows={3} inset />
      {rows?.length === 0 && <EmptyLine>Nothing was sent in the last 7 days.</EmptyLine>}
      {rows !== undefined && rows.length > 0 && (
        <DataTable
          label="Last deliveries"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          rowName={(row) => row.about}
        />
      )}
      {rows?.length === FIRST && limit === FIRST && <ShowAll onClick={() => setLimit(MOST)}>Show 7 days</ShowAll>}
    </Card>
  )
}
