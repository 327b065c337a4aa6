import { POLICIES } from '@shapecast/contracts/policies'
import { createSearch, SEARCH_DEFAULTS, SearchedPolicy, searchGround } from '@shapecast/contracts/search'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { FeesByVenue } from '#entities/bots/cost-fields.tsx'
import { ruleDraftIn } from '#entities/bots/rule-draft.ts'
import { SeriesFields } from '#entities/markets/series-fields.tsx'
import { TriesByKind, useShownTries } from '#entities/runs/lab-tries.tsx'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatDate } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Checkbox } from '#kit/ui/checkbox.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import { fieldsOf } from '#kit/ui/field.tsx'
import layout from '#kit/ui/layout.module.css'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Column, Columns, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useSettled } from '#kit/ui/use-settled.ts'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useRunObstacle, useUser } from '#wire/session/auth-context.ts'
import { RuleField } from '../lab-parts.tsx'
import { NEW_SEARCH, readForm, type SearchForm, searchablesOf, searchOf } from './search-form.ts'
import css from './search-page.module.css'

const WAIT_MS = 300

interface Part {
  readonly form: SearchForm
  readonly read: ReturnType<typeof readForm>
  readonly ground: ReturnType<typeof useGround>
  change(next: Partial<SearchForm>): void
}

/** What is searched, on which candles, by which values, and how much of them is kept unseen. */
export function SearchSetup() {
  const rule = ruleDraftIn(useLocation().state)
  const [form, setForm] = useState(rule === undefined ? NEW_SEARCH : searchOf(rule))
  const read = readForm(form)
  const ground = useGround(form, read)
  const part: Part = { form, read, ground, change: (next) => setForm({ ...form, ...next }) }
  const field = fieldsOf(form, part.change, read.wrong)
  return (
    <div className={`${layout.pageColumn} ${css.setup}`}>
      <Card title="What is searched" flush>
        <Section title="What" words="a rule, a policy’s settings or a model’s threshold">
          <WhatFields {...part} />
        </Section>
        <Section title="Parameters" words="tick what is searched; the rest stays fixed">
          <ParameterRows {...part} />
        </Section>
        <Section title="Objective" words="Sharpe after costs, of what it brings over holding as much">
          <Columns gap={1.5} align="start" at={{ md: 3 }}>
            <NumberField label="At least" unit="trades" {...field('minTrades')} />
            <FeesByVenue market="spot" feePct={form.feePct} change={({ feePct }) => part.change({ feePct })} />
            <NumberField label="Fee" unit="%" step={0.01} {...field('feePct')} />
            <NumberField label="Slippage" unit="bps" {...field('slippageBps')} />
          </Columns>
        </Section>
        <Section title="Kept unseen" words="the last part of the range">
          <KeptPart {...part} />
        </Section>
      </Card>
      <div className={layout.pageColumn}>
        <Start {...part} />
        <Ledger {...part} />
        <Card title="Before you search">
          <Text size="small" tone="text2">
            A search you can say why is worth more than a large one: name the idea, then give it few choices.
          </Text>
        </Card>
      </div>
    </div>
  )
}

const Section = ({ title, words, children }: { title: string; words: string; children: React.ReactNode }) => (
  <section className={css.section} aria-label={title}>
    <div>
      <Text size="h3">{title}</Text>
      <Note>{words}</Note>
    </div>
    <div className={layout.shrinks}>{children}</div>
  </section>
)

function useGround({ symbol, timeframe, limit, keptPct }: SearchForm, { wrong }: Part['read']) {
  const isSignedIn = useUser() !== null
  const query = JSON.stringify({ symbol, timeframe, limit, keptPct })
  const settled = useSettled(query, WAIT_MS)
  return useEndpointQuery(
    searchGround,
    { query: JSON.parse(settled) },
    {
      enabled: isSignedIn && wrong.limit === undefined && settled === query,
      placeholderData: (before) => before,
      retry: false,
    },
  )
}

function WhatFields({ form, read, change }: Part) {
  return (
    <Column gap={1.5}>
      <Row gap={1}>
        <ToggleGroup
          label="Kind"
          size="small"
          value={form.kind}
          // A policy trades rarely.
          onChange={(kind) =>
            change({ kind, values: {}, minTrades: kind === 'policy' ? 1 : SEARCH_DEFAULTS.minTrades })
          }
          choices={{ rule: 'Rule', policy: 'Policy', signal: 'Model signal' }}
        />
      </Row>
      {form.kind === 'rule' && (
        <RuleField
          form={form}
          onChange={change}
          help="Every number in it can be searched. What rules can say is written in the docs on rules."
          error={read.wrong.rule}
        />
      )}
      {form.kind === 'policy' && (
        <SelectField
          label="Policy"
          value={form.policy}
          onChange={(policy) => change({ policy })}
          options={SearchedPolicy.options.map((value) => ({ value, label: POLICIES[value].name }))}
        />
      )}
      {form.kind === 'signal' && (
        <Note tone="text2">
          Buys where the model in use says P(up) is above 50% by the threshold, leaves where it is below by as much.
          What the model has seen is said with the verdict.
        </Note>
      )}
      <Columns gap={1.5} align="start" at={{ md: 3 }}>
        <SeriesFields symbol={form.symbol} timeframe={form.timeframe} onChange={change} />
        <NumberField label="Newest candles" step={1000} {...fieldsOf(form, change, read.wrong)('limit')} />
      </Columns>
    </Column>
  )
}

function ParameterRows({ form, read, change }: Part) {
  const tick = (name: string, proposed: string) => {
    const { [name]: known, ...others } = form.values
    change({ values: known === undefined ? { ...others, [name]: proposed } : others })
  }
  return (
    <>
      <ul className={layout.list}>
        {searchablesOf(form).map(({ name, label, where, fixed, proposed }) => {
          const values = form.values[name]
          return (
            <li key={name} className={css.parameter}>
              <Checkbox
                checked={values !== undefined}
                onChange={() => tick(name, proposed)}
                aria-label={`Search ${label}`}
              />
              <div className={layout.shrinks}>
                <Text
                  size="small"
                  weight={values === undefined ? 400 : 500}
                  tone={values === undefined ? 'text2' : 'text'}
                >
                  {label}
                </Text>
                <Note>{where}</Note>
              </div>
              {values === undefined ? (
                <Note style={{ justifySelf: 'start' }}>{fixed}, fixed</Note>
              ) : (
                <TextField
                  label={`Values of ${label}`}
                  value={values}
                  error={read.wrong[name]}
                  onChange={({ target }) => change({ values: { ...form.values, [name]: target.value } })}
                  end={read.counts[name] ?? ''}
                />
              )}
            </li>
          )
        })}
      </ul>
      <Row gap={1} wrap between above={1}>
        <Text size="small" weight={500}>
          {Object.values(read.counts).join(' × ')}{' '}
          {read.combinations > 0 && `= ${formatCounted(read.combinations, 'combination')}`}
        </Text>
        <Note tone={read.wrong.parameters === undefined ? 'text3' : 'down'} role={read.wrong.parameters && 'alert'}>
          {read.wrong.parameters ?? 'at most 10,000'}
        </Note>
      </Row>
    </>
  )
}

const KEPT_CHOICES = ['0', '10', '20', '30'] as const

function KeptPart({ form, change, ground: { data } }: Part) {
  return (
    <Column gap={1.5}>
      <Row gap={1} wrap>
        <ToggleGroup
          label="Kept unseen"
          size="small"
          value={String(form.keptPct)}
          onChange={(keptPct) => change({ keptPct: Number(keptPct) })}
          choices={KEPT_CHOICES.map((value) => ({ value, label: value === '0' ? 'None' : `${value}%` }))}
        />
        <Note>opened once, for the winner only</Note>
      </Row>
      <div className={css.range} aria-hidden>
        <div className={css.searched} style={{ flexGrow: 100 - form.keptPct }} />
        {form.keptPct > 0 && <div className={css.kept} style={{ flexGrow: form.keptPct }} />}
      </div>
      {data !== undefined && (
        <Row gap={1} wrap between>
          <Note tone="warn">
            searched: {formatCounted(data.searched.candles, 'candle')}, to {formatDate(data.searched.to)}
          </Note>
          {data.kept !== null && <Note>kept unseen: {formatCount(data.kept.candles)}</Note>}
        </Row>
      )}
      <KeptWords keptPct={form.keptPct} openedAt={data?.keptOpenedAt} />
    </Column>
  )
}

function KeptWords({ keptPct, openedAt }: { keptPct: number; openedAt: number | null | undefined }) {
  if (keptPct === 0)
    return <Note tone="warn">With no part kept unseen the settings cannot be taken as more than luck.</Note>
  if (openedAt === undefined) return null
  return openedAt === null ? (
    <Row gap={1} align="start">
      <Lock size={14} aria-hidden />
      <Note>Not opened yet: no backtest, preview or search of yours has used it. Its prices you may have seen.</Note>
    </Row>
  ) : (
    <Note tone="warn">
      Opened on {formatDate(openedAt)} by a run of yours: the verdict may not use it. Keep a longer part, or wait for
      new candles.
    </Note>
  )
}

function Start({ read, ground }: Part) {
  const navigate = useNavigate()
  const obstacle = useRunObstacle('search')
  const create = useEndpointMutation(createSearch, { onSuccess: ({ id }) => void navigate(paths.search(id)) })
  const { request, combinations } = read
  const candles = ground.data?.searched.candles
  return (
    <Card title="This search">
      <Column gap={1.5}>
        <Text size="numberM">
          {formatCount(combinations)}{' '}
          <Text as="span" size="small" tone="text2">
            combinations
          </Text>
        </Text>
        <Facts
          facts={[
            { label: 'Candles computed', value: candles === undefined ? '—' : formatCount(candles * combinations) },
          ]}
        />
        <Button
          variant="contained"
          fullWidth
          disabled={obstacle !== null || request === null}
          {...busyButton(create.isPending, () => request !== null && create.mutate({ body: request }))}
        >
          {obstacle ?? (create.isPending ? 'Starting…' : `Search ${formatCounted(combinations, 'combination')}`)}
        </Button>
        {ground.isError && (
          <Note tone="down" role="alert">
            {errorInFull(ground.error, 'These candles could not be looked at.')}
          </Note>
        )}
        {create.isError && (
          <Banner kind="error" title="The search could not start" onDismiss={() => create.reset()}>
            {errorInFull(create.error, 'Try again.')}
          </Banner>
        )}
      </Column>
    </Card>
  )
}

function Ledger({ form, read, ground: { data } }: Part) {
  const { count, byKind } = data?.tries ?? { count: 0, byKind: {} }
  useShownTries(data?.tries, form.symbol, form.timeframe)
  return (
    <Card title="Trial ledger">
      <Column gap={1.5}>
        <Text size="numberM">
          {data === undefined ? '—' : formatCount(count)}{' '}
          <Text as="span" size="small" tone="text2">
            {count === 1 ? 'try' : 'tries'} on {form.symbol} {form.timeframe} by you
          </Text>
        </Text>
        <TriesByKind
          byKind={byKind}
          then={[{ label: 'After this search', value: formatCount(count + read.combinations) }]}
        />
      </Column>
    </Card>
  )
}
