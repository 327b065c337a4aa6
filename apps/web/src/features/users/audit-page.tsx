import { type AuditRecord, auditLog, exportAudit, users } from '@shapecast/contracts/users'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  ArrowLeftRight,
  Bot,
  ChevronDown,
  Cpu,
  FlaskConical,
  KeyRound,
  Landmark,
  type LucideIcon,
  Mail,
  Settings,
  SquareKanban,
  User,
} from 'lucide-react'
import { Fragment } from 'react'
import { formatCount } from '#kit/format/number.ts'
import { formatExactTime, formatSecond, formatWallDay, zoneWords } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { CopyButton } from '#kit/ui/copy-button.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import { DateField } from '#kit/ui/large-fields.tsx'
import layout from '#kit/ui/layout.module.css'
import { Columns, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useAddressQuery, useAddressText } from '#kit/ui/use-address-query.ts'
import { call, file } from '#wire/calls/client.ts'
import { endpointKey, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { CsvButton } from '#wire/ui/csv-button.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import css from './audit-page.module.css'
import { actorName, changesOf, fieldWords, KINDS, sentenceOf } from './audit-sentences.ts'

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const DAY_MS = 86_400_000
const EVERYBODY = 'everybody'
const EVERYTHING = 'everything'
/** What of the address the call is asked for as it stands there; `subject` and `subjectType` by links. */
const FILTERS = ['actor', 'action', 'about', 'subject', 'subjectType'] as const

/** By the kind of thing that was acted on; the rest is about the installation. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  account: User,
  user: User,
  invitation: Mail,
  bot: Bot,
  order: ArrowLeftRight,
  trading_limits: Landmark,
  exchange_keys: KeyRound,
  model: Cpu,
  artifact: Cpu,
  training: Cpu,
  batch: FlaskConical,
  search: FlaskConical,
  walk_forward: FlaskConical,
  task: SquareKanban,
}

/** The facts of an entry, and what was written down of it. */
function Opened({ entry }: { entry: AuditRecord }) {
  const { at, address, action, subject, before, after } = entry
  const json = JSON.stringify({ action, subject, before, after }, null, 2)
  const facts = changesOf(entry).map(({ key, was, is }) => ({
    label: sentenceCase(fieldWords(key)),
    value: was === undefined ? is : `${was} → ${is}`,
  }))
  return (
    <div className={css.opened}>
      <Facts
        facts={[
          ...facts,
          { label: 'Address', value: address ?? '—' },
          { label: 'Time', value: formatExactTime(at) },
          { label: 'Id', value: subject.id },
        ]}
      />
      <details>
        <summary className={layout.summary}>As it was written down</summary>
        <pre className={css.json}>{json}</pre>
        <CopyButton variant="text" value={json} />
      </details>
    </div>
  )
}

function Entry({ entry }: { entry: AuditRecord }) {
  const Icon = ICONS[entry.subject.type] ?? Settings
  return (
    <details>
      <summary className={css.line}>
        <Note as="span" tone="text2">
          {formatSecond(entry.at)}
        </Note>
        <span style={{ fontWeight: 500 }}>{actorName(entry)}</span>
        <span className={css.what}>
          <Icon size={16} aria-hidden className={css.icon} />
          {sentenceOf(entry).map((part) => (typeof part === 'string' ? part : <b key={part.name}>{part.name}</b>))}
        </span>
        <Note as="span" tone="text2" className={css.address}>
          {entry.address}
        </Note>
        <ChevronDown size={16} aria-hidden className={css.chevron} />
      </summary>
      <Opened entry={entry} />
    </details>
  )
}

/** What was done by whom; the filters stand in the address. */
export function AuditPage() {
  const [address, setAddress] = useAddressQuery()
  const [about, type] = useAddressText('about')
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
    <Card
      title="Audit"
      facts={`who did what, the newest first · ${zoneWords()}`}
      flush
      actions={<CsvButton of="audit" fetchFile={() => file(exportAudit, { query })} />}
    >
      <Columns
        gap={1.5}
        at={{ xs: 2, lg: 'repeat(2, minmax(0, 1fr)) minmax(0, 2fr) repeat(2, minmax(0, 1fr))' }}
        className={css.filter}
      >
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
        <SelectField
          label="What"
          value={address.get('action') ?? EVERYTHING}
          onChange={(kind) => setAddress({ action: kind === EVERYTHING ? null : kind })}
          options={[{ value: EVERYTHING, label: 'Everything' }, ...KINDS]}
          placeholder={address.get('action') ?? ''}
        />
        <TextField
          label="About"
          placeholder="A bot, model, user or task by name"
          value={about}
          onChange={(event) => type(event.target.value, { subject: null, subjectType: null })}
        />
        <DateField label="From" value={from} onChange={(ms) => setAddress({ from: ms === null ? null : String(ms) })} />
        <DateField label="To" value={to} onChange={(ms) => setAddress({ to: ms === null ? null : String(ms) })} />
      </Columns>
      <QueryBoundary reply={reply} of="the audit" px={28} rows={6} inset />
      {entries?.length === 0 && <EmptyLine>Nothing fits these filters.</EmptyLine>}
      {entries !== undefined && entries.length > 0 && (
        <section aria-label="Entries">
          <div className={css.heads} aria-hidden>
            <span>Time</span>
            <span>Who</span>
            <span>What was done</span>
            <span>Address</span>
          </div>
          {[...Map.groupBy(entries, ({ at }) => formatWallDay(at))].map(([day, ofDay]) => (
            <Fragment key={day}>
              <Text as="h3" size="small" tone="text2" className={css.day}>
                {day}
              </Text>
              <ol className={css.entries}>
                {ofDay.map((entry) => (
                  <li key={entry.id}>
                    <Entry entry={entry} />
                  </li>
                ))}
              </ol>
            </Fragment>
          ))}
        </section>
      )}
      {entries !== undefined && entries.length > 0 && (
        <Row gap={1} between wrap className={css.foot}>
          {reply.hasNextPage && (
            <Button
              variant="text"
              size="small"
              {...busyButton(reply.isFetchingNextPage, () => void reply.fetchNextPage())}
            >
              {reply.isFetchingNextPage ? 'Loading…' : 'Show older'}
            </Button>
          )}
          {reply.isFetchNextPageError && (
            <Text size="small" tone="down" role="alert">
              The older entries could not be loaded.
            </Text>
          )}
          <Note tone="text2" className={css.count}>
            {formatCount(entries.length)} of {formatCount(reply.data?.pages.at(-1)?.total ?? entries.length)}
          </Note>
        </Row>
      )}
    </Card>
  )
}
