import { Box, Button, Typography } from '@mui/material'
import { type AuditRecord, auditLog, users } from '@shapecast/contracts/users'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useSearchParams } from 'react-router'
import { formatTableTimeYear } from '#kit/format/time.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { DateField } from '#kit/ui/date-field.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { call } from '#wire/calls/client.ts'
import { endpointKey, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { changeWords } from './change-words.ts'

const DAY_MS = 86_400_000
const EVERYBODY = 'everybody'

const actorName = ({ actor }: AuditRecord): string =>
  actor === null ? 'System' : (actor.username ?? 'a deleted account')

/** Ids have hyphens, which tabular figures would widen. */
const words = { fontVariantNumeric: 'normal', whiteSpace: 'normal', overflowWrap: 'anywhere' } as const

/** `user.signed_in`, which breaks after its dot or a low line where there is no room. */
const ActionName = ({ action }: Pick<AuditRecord, 'action'>) =>
  action.split(/(?<=[._])/).map((part, i) => (
    <Fragment key={part}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))

const COLUMNS: readonly Column<AuditRecord>[] = [
  {
    id: 'time',
    get head() {
      return `Time, ${zoneWords()}`
    },
    keep: true,
    whole: true,
    cell: ({ at }) => formatTableTimeYear(at),
  },
  { id: 'who', head: 'Who', keep: true, cell: actorName },
  { id: 'action', head: 'Action', keep: true, cell: ({ action }) => <ActionName action={action} /> },
  {
    id: 'subject',
    head: 'Subject',
    quiet: true,
    cell: ({ subject }) => (
      <Box sx={{ ...words, py: 0.75, whiteSpace: { md: 'nowrap' } }}>
        {subject.type}
        <Typography variant="label" component="div" sx={{ color: colors.text3, fontWeight: 400 }}>
          {subject.id}
        </Typography>
      </Box>
    ),
  },
  { id: 'address', head: 'Address', quiet: true, cell: ({ address }) => address ?? '—' },
  {
    id: 'change',
    head: 'Change',
    cell: ({ before, after }) => (
      <Box component="span" sx={{ ...words, display: 'block', py: 0.75 }}>
        {changeWords(before, after)}
      </Box>
    ),
  },
]

/** What was done by whom; the filters stand in the address. */
export function AuditPage() {
  const [search, setSearch] = useSearchParams()
  const set = (name: string, value: string | null) =>
    setSearch(
      (now) => {
        if (value === null || value === '') now.delete(name)
        else now.set(name, value)
        return now
      },
      { replace: true },
    )
  const day = (name: string) => (search.has(name) ? Number(search.get(name)) : null)
  const [from, to] = [day('from'), day('to')]
  const text = (name: 'actor' | 'action' | 'subjectType' | 'subject') => search.get(name) ?? ''
  const query = {
    ...(text('actor') !== '' && { actor: text('actor') }),
    ...(text('action') !== '' && { action: text('action') }),
    ...(text('subjectType') !== '' && { subjectType: text('subjectType') }),
    ...(text('subject') !== '' && { subject: text('subject') }),
    ...(from !== null && { from }),
    ...(to !== null && { to: to + DAY_MS - 1 }),
  }
  const people = useEndpointQuery(users, { query: { limit: 200 } })
  const reply = useInfiniteQuery({
    queryKey: [...endpointKey(auditLog, { query }), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(auditLog, { query: { ...query, ...(pageParam !== null && { before: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.hasMore ? (page.entries.at(-1)?.id ?? null) : null),
    placeholderData: (before) => before,
  })
  const entries = reply.data?.pages.flatMap((page) => page.entries)
  return (
    <Card title="Audit" facts="what was done by whom, the newest first" flush>
      <Box sx={filterStyle}>
        <SelectField
          label="Who"
          value={text('actor') || EVERYBODY}
          onChange={(id) => set('actor', id === EVERYBODY ? null : id)}
          options={[
            { value: EVERYBODY, label: 'Everybody' },
            ...(people.data?.users.map(({ id, username }) => ({ value: id, label: username })) ?? []),
          ]}
          placeholder="Somebody"
        />
        <TextField
          label="Action"
          placeholder="bot. or user.signed_in"
          value={text('action')}
          onChange={(event) => set('action', event.target.value)}
        />
        <TextField
          label="Kind of subject"
          placeholder="user, bot, model"
          value={text('subjectType')}
          onChange={(event) => set('subjectType', event.target.value)}
        />
        <TextField
          label="Subject"
          placeholder="its id"
          value={text('subject')}
          onChange={(event) => set('subject', event.target.value)}
        />
        <DateField label="From" value={from} onChange={(ms) => set('from', ms === null ? null : String(ms))} />
        <DateField label="To" value={to} onChange={(ms) => set('to', ms === null ? null : String(ms))} />
      </Box>
      <Awaited reply={reply} title="The audit could not be loaded" inset>
        <ListSkeleton label="Loading the audit" rowHeightPx={28} rows={6} />
      </Awaited>
      {entries?.length === 0 && <EmptyLine>Nothing fits these filters.</EmptyLine>}
      {entries !== undefined && entries.length > 0 && (
        <Box sx={{ borderTop: `1px solid ${colors.divider}` }}>
          <DataTable label="Audit" columns={COLUMNS} rows={entries} rowKey={({ id }) => id} />
        </Box>
      )}
      {reply.hasNextPage && (
        <Box sx={{ p: 1, display: 'flex', alignItems: 'center', gap: 1 }}>
          <Button
            variant="text"
            size="small"
            {...busyPress(reply.isFetchingNextPage, () => void reply.fetchNextPage())}
          >
            {reply.isFetchingNextPage ? 'Loading…' : 'Show older'}
          </Button>
          {reply.isFetchNextPageError && (
            <Typography variant="small" role="alert" sx={{ color: colors.down }}>
              The older entries could not be loaded.
            </Typography>
          )}
        </Box>
      )}
    </Card>
  )
}

const filterStyle = {
  display: 'grid',
  gap: 1.5,
  p: 2,
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(6, minmax(0, 1fr))' },
} as const
