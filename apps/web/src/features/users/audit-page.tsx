import { type AuditRecord, auditLog, users } from '@shapecast/contracts/users'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { formatExactTime, formatTableTimeYear } from '#kit/format/time.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { DateField } from '#kit/ui/date-field.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useAddressQuery, useAddressText } from '#kit/ui/use-address-query.ts'
import { call } from '#wire/calls/client.ts'
import { endpointKey, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import css from './audit-page.module.css'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const LONGEST_HASH = 12
const word = (value: unknown, key = ''): string => {
  if (value === undefined || value === null || value === '') return '—'
  if (typeof value === 'number' && key.endsWith('Ms')) return formatExactTime(value)
  if (typeof value === 'string') return /^[0-9a-f]{40,}$/.test(value) ? `${value.slice(0, LONGEST_HASH)}…` : value
  if (Array.isArray(value)) return value.length === 0 ? '—' : value.map((one) => word(one)).join(', ')
  return isRecord(value) && Object.keys(value).length === 0 ? '—' : JSON.stringify(value)
}
/** A time is shown as one, without its unit. */
const nameOf = (key: string): string => key.replace(/Ms$/, '')

/** What changed, in a line: 'role: user → admin'. What was only made, or only removed, is listed with its values. */
export function changeWords(before: unknown, after: unknown): string {
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter(
      (key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]) && (isRecord(before) || word(is[key]) !== '—'),
    )
    .map((key) =>
      isRecord(before)
        ? `${nameOf(key)}: ${word(was[key], key)} → ${word(is[key], key)}`
        : `${nameOf(key)}: ${word(is[key], key)}`,
    )
    .join(', ')
}

const DAY_MS = 86_400_000
const EVERYBODY = 'everybody'
const FILTERS = ['actor', 'action', 'subjectType', 'subject'] as const

const actorName = ({ actor }: AuditRecord): string =>
  actor === null ? 'System' : (actor.username ?? 'a deleted account')

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
      <div className={css.subject}>
        {subject.type}
        <Note>{subject.id}</Note>
      </div>
    ),
  },
  { id: 'address', head: 'Address', quiet: true, cell: ({ address }) => address ?? '—' },
  {
    id: 'change',
    head: 'Change',
    cell: ({ before, after }) => <span className={css.change}>{changeWords(before, after)}</span>,
  },
]

function TextFilter({ name, ...field }: { name: (typeof FILTERS)[number]; label: string; placeholder: string }) {
  const [text, type] = useAddressText(name)
  return <TextField {...field} value={text} onChange={(event) => type(event.target.value)} />
}

/** What was done by whom; the filters stand in the address. */
export function AuditPage() {
  const [address, setAddress] = useAddressQuery()
  const day = (name: string) => (address.has(name) ? Number(address.get(name)) : null)
  const [from, to] = [day('from'), day('to')]
  const query = {
    ...Object.fromEntries(FILTERS.flatMap((name) => (address.get(name) ? [[name, address.get(name)]] : []))),
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
      <div className={css.filter}>
        <SelectField
          label="Who"
          value={address.get('actor') ?? EVERYBODY}
          onChange={(id) => setAddress({ actor: id === EVERYBODY ? null : id })}
          options={[
            { value: EVERYBODY, label: 'Everybody' },
            ...(people.data?.users.map(({ id, username }) => ({ value: id, label: username })) ?? []),
          ]}
          placeholder="Somebody"
        />
        <TextFilter label="Action" placeholder="bot. or user.signed_in" name="action" />
        <TextFilter label="Kind of subject" placeholder="user, bot, model" name="subjectType" />
        <TextFilter label="Subject" placeholder="its id" name="subject" />
        <DateField label="From" value={from} onChange={(ms) => setAddress({ from: ms === null ? null : String(ms) })} />
        <DateField label="To" value={to} onChange={(ms) => setAddress({ to: ms === null ? null : String(ms) })} />
      </div>
      <QueryBoundary reply={reply} title="The audit could not be loaded" inset>
        <ListSkeleton label="Loading the audit" rowHeightPx={28} rows={6} />
      </QueryBoundary>
      {entries?.length === 0 && <EmptyLine>Nothing fits these filters.</EmptyLine>}
      {entries !== undefined && entries.length > 0 && (
        <div className={css.entries}>
          <DataTable label="Audit" columns={COLUMNS} rows={entries} rowKey={({ id }) => id} />
        </div>
      )}
      {reply.hasNextPage && (
        <Row gap={1} style={{ padding: 8 }}>
          <Button
            variant="text"
            size="small"
            {...busyButton(reply.isFetchingNextPage, () => void reply.fetchNextPage())}
          >
            {reply.isFetchingNextPage ? 'Loading…' : 'Show older'}
          </Button>
          {reply.isFetchNextPageError && (
            <Text size="small" tone="down" role="alert">
              The older entries could not be loaded.
            </Text>
          )}
        </Row>
      )}
    </Card>
  )
}
