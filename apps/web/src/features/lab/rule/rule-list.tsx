import { ruleLibrary } from '@shapecast/contracts/rules'
import { type StoredRule, storedRules } from '@shapecast/contracts/stored-rules'
import { type ReactNode, useState } from 'react'
import { VisibilityChip } from '#entities/bots/bot-chips.tsx'
import type { RuleDraft } from '#entities/bots/rule-draft.ts'
import { formatCounted, formatFixed } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Button } from '#kit/ui/button.tsx'
import { EmptyLine } from '#kit/ui/card.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useSettled } from '#kit/ui/use-settled.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import css from './rule-page.module.css'

/** A published rule that is not stored here. */
type Begun = Pick<RuleDraft, 'name' | 'rule' | 'timeframe'>
interface Picks {
  onOpen: (id: string) => void
  onBegin: (rule: Begun) => void
}

/** After the last key, ms. */
const WAIT_MS = 250
const PARTS = { all: 'All', own: 'Yours', shared: 'Shared', published: 'Published' }
type Part = keyof typeof PARTS

/** Rules to open or to begin from: the user's own, those that others share, and published ones with what they did. */
export function RuleList({ onClose, ...picks }: Picks & { onClose: () => void }) {
  const [words, setWords] = useState('')
  const [part, setPart] = useState<Part>('all')
  const search = useSettled(words.trim(), WAIT_MS)
  const shows = (one: Part) => part === 'all' || part === one
  return (
    <Dialog
      title="Rules"
      subtitle="Yours, those that others share, and twelve that were published, with what they did"
      widthPx={760}
      flush
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <Column gap={1.5} className={layout.inset} style={{ justifyItems: 'start' }}>
        <TextField
          label="Search names and texts"
          autoFocus
          autoComplete="off"
          value={words}
          onChange={({ target }) => setWords(target.value.slice(0, 100))}
        />
        <ToggleGroup label="Which rules" size="small" value={part} onChange={setPart} choices={PARTS} />
      </Column>
      <StoredParts search={search} shows={shows} onOpen={picks.onOpen} />
      {shows('published') && <PublishedPart search={search} onBegin={picks.onBegin} />}
    </Dialog>
  )
}

function StoredParts({
  search,
  shows,
  onOpen,
}: Pick<Picks, 'onOpen'> & { search: string; shows: (part: Part) => boolean }) {
  const user = useUser()
  const reply = useEndpointQuery(
    storedRules,
    { query: { limit: 500, ...(search !== '' && { search }) } },
    { placeholderData: (before) => before },
  )
  if (reply.data === undefined) return <QueryBoundary reply={reply} of="the rules" rows={3} px={64} inset />
  const { own = [], shared = [] } = Object.groupBy(reply.data, ({ userId }) => (userId === user?.id ? 'own' : 'shared'))
  const empty = (otherwise: string) => (search === '' ? otherwise : `None of them holds ‘${search}’.`)
  const rows = (rules: readonly StoredRule[]) =>
    rules.map((rule) => <StoredRow key={rule.id} rule={rule} isOwn={rule.userId === user?.id} onOpen={onOpen} />)
  return (
    <>
      {shows('own') && (
        <Section
          title="Yours"
          empty={empty(
            user === null ? 'Sign in to keep rules.' : 'You have none yet: what you save in the editor stands here.',
          )}
        >
          {rows(own)}
        </Section>
      )}
      {shows('shared') && (
        <Section title="Shared by others" empty={empty('Nobody shares a rule here yet.')}>
          {rows(shared)}
        </Section>
      )}
    </>
  )
}

function Section({ title, empty, children }: { title: string; empty: string; children: readonly ReactNode[] }) {
  return (
    <section aria-label={title}>
      <Text as="h3" size="label" tone="text2" className={css.title}>
        {title} {children.length > 0 && <span>{children.length}</span>}
      </Text>
      {children.length === 0 ? <EmptyLine>{empty}</EmptyLine> : <ul className={layout.list}>{children}</ul>}
    </section>
  )
}

function StoredRow({ rule, isOwn, onOpen }: { rule: StoredRule; isOwn: boolean } & Pick<Picks, 'onOpen'>) {
  return (
    <li className={css.listed}>
      <Row gap={1} between>
        <Row gap={1} wrap>
          <Text weight={500} breaks>
            {rule.name}
          </Text>
          {isOwn && <VisibilityChip visibility={rule.visibility} />}
        </Row>
        <Button size="small" aria-label={`Open ${rule.name}`} onClick={() => onOpen(rule.id)}>
          Open
        </Button>
      </Row>
      <pre className={css.listedText}>{rule.text}</pre>
      <Note>
        Version {rule.version}, saved <Ago ms={rule.savedAt} />
      </Note>
    </li>
  )
}

function PublishedPart({ search, onBegin }: { search: string } & Pick<Picks, 'onBegin'>) {
  const library = useEndpointQuery(ruleLibrary, {}, { staleTime: Number.POSITIVE_INFINITY })
  if (library.data === undefined)
    return <QueryBoundary reply={library} of="the published rules" rows={3} px={64} inset />
  const { stretch, rules } = library.data
  const found = rules.filter(({ name, rule }) => `${name}\n${rule}`.toLowerCase().includes(search.toLowerCase()))
  return (
    <Section title="Published" empty={`None of them holds ‘${search}’.`}>
      {found.map(({ id, name, source, rule, did }) => (
        <li key={id} className={css.listed}>
          <Row gap={1} between>
            <Text weight={500}>{name}</Text>
            <Button
              size="small"
              aria-label={`Begin from ${name}`}
              onClick={() => onBegin({ rule, timeframe: stretch.timeframe, name })}
            >
              Begin from it
            </Button>
          </Row>
          <pre className={css.listedText}>{rule}</pre>
          <Note tone="text2">
            {stretch.symbol} {stretch.timeframe}, {stretch.from} to {stretch.to}: {formatChangePct(did.totalReturnPct)}{' '}
            (holding {formatChangePct(stretch.holdPct)}), worst drawdown {formatFixed(-did.maxDrawdownPct, 0)}%,{' '}
            {formatCounted(did.trades, 'trade')};{' '}
            {did.p === null
              ? 'too few trades to tell'
              : `against random entries p = ${formatFixed(did.p, 3)}, ${did.p <= 0.05 ? 'better' : 'cannot tell'}`}
            .
          </Note>
          <Note>{source}</Note>
        </li>
      ))}
    </Section>
  )
}
