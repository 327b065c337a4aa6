import { BatchRequest, type BatchRequestInput, batch, batches, createBatch } from '@shapecast/contracts/batch'
import { bots } from '@shapecast/contracts/bots'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { ruleDraftIn } from '#entities/bots/rule-draft.ts'
import { selectableSymbols, useMarkets } from '#entities/markets/use-market-of.ts'
import { formatCounted } from '#kit/format/number.ts'
import { Card } from '#kit/ui/card.tsx'
import { fieldsOf } from '#kit/ui/field.tsx'
import { MultiSelectField } from '#kit/ui/large-fields.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Column, Note } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { paths } from '#routes/paths.ts'
import { endpointQuery, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { wrongFields } from '../lab-forms.ts'
import { LabPage, RuleField, StartJob } from '../lab-parts.tsx'
import { BatchResult } from './batch-result.tsx'

const MOST_SYMBOLS = 50

const BATCHES = {
  title: 'Batch',
  past: 'Batches',
  what: 'batch',
  unit: 'run',
  one: (id: string) => endpointQuery(batch, { params: { id } }),
  list: batches,
  path: paths.batch,
}

/** Batch: a new one and those before, or the one that the address names. */
export function BatchPage() {
  const [, setSearch] = useSearchParams()
  const { state } = useLocation()
  return (
    <LabPage kind={BATCHES} result={(found, result) => <BatchResult batch={found} result={result} />}>
      <BatchSetup start={startIn(state)} onStarted={(id) => setSearch({ batch: id })} />
    </LabPage>
  )
}

function BatchSetup({ start, onStarted }: { start: BatchForm; onStarted: (id: string) => void }) {
  const [form, setForm] = useState(start)
  const create = useEndpointMutation(createBatch, { onSuccess: ({ id }) => onStarted(id) })
  const known = useEndpointQuery(bots, {})
  const change = (next: Partial<BatchForm>) => setForm({ ...form, ...next })
  const body = bodyOf(form)
  const wrong = wrongFields(BatchRequest, body, form)
  const field = fieldsOf(form, change, wrong)
  return (
    <Card title="New batch" facts="the same settings everywhere">
      <Column gap={1.5}>
        <ToggleGroup
          label="What is run"
          value={form.mode}
          choices={{ rule: 'Rule', bot: 'Bot' }}
          onChange={(mode) => change({ mode })}
        />
        {form.mode === 'rule' ? (
          // With other numbers it is another rule.
          <RuleField form={form} onChange={({ rule }) => change({ rule, ruleOrigin: undefined })} error={wrong.rule} />
        ) : (
          <SelectField
            label="Bot"
            {...field('botId')}
            options={(known.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            placeholder={known.data?.length === 0 ? 'There is no bot yet' : 'Select a bot'}
            help="Its settings on each symbol by itself, whatever its pairs are"
          />
        )}
        <MultiSelectField
          label="Symbols"
          values={form.symbols}
          onChange={(symbols) => change({ symbols })}
          options={selectableSymbols(useMarkets().data ?? [], MOST_SYMBOLS)}
          most={MOST_SYMBOLS}
          placeholder="Add a symbol"
          error={wrong.symbols}
        />
        <MultiSelectField
          label="Timeframes"
          values={form.timeframes}
          onChange={(timeframes) => change({ timeframes: timeframes as Timeframe[] })}
          options={TIMEFRAMES}
          most={TIMEFRAMES.length}
          placeholder="Add a timeframe"
          error={wrong.timeframes}
        />
        <NumberField label="Newest candles of each" {...field('limit')} min={200} max={100_000} step={500} />
        <Note>
          {formatCounted(form.symbols.length * form.timeframes.length, 'run')}, each a try on its series. The last 20%
          of the candles stay unseen.
        </Note>
        <StartJob
          what="batch"
          words="Run batch"
          wrong={wrong}
          create={create}
          onStart={() => create.mutate({ body })}
        />
      </Column>
    </Card>
  )
}

/** What stands in the form of a batch; an empty number is null. */
interface BatchForm extends Pick<BatchRequest, 'symbols' | 'timeframes'> {
  mode: 'rule' | 'bot'
  rule: string
  ruleOrigin: BatchRequest['ruleOrigin']
  botId: string
  limit: number | null
}

const NEW_BATCH: BatchForm = {
  mode: 'rule',
  rule: 'enter: close > donchian_upper(20)[1]\nexit: close < donchian_lower(10)[1]',
  ruleOrigin: undefined,
  botId: '',
  symbols: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'],
  timeframes: ['1h', '4h', '1d'],
  limit: LAB_CANDLES,
}

/** The form in which a batch was asked for; what only the API can ask for is as in a new one. */
const formOf = ({ rule, ruleOrigin, botId = '', symbols, timeframes, limit }: BatchRequest): BatchForm => ({
  ...NEW_BATCH,
  ...(rule === undefined ? { mode: 'bot', botId } : { rule, ruleOrigin }),
  symbols,
  timeframes,
  limit,
})

/** The form of a new batch, from the state of the history: of a rule that comes from its editor, or of an earlier batch. */
function startIn(state: unknown): BatchForm {
  const { rule, ruleOrigin } = ruleDraftIn(state) ?? NEW_BATCH
  const { plan } = (state ?? {}) as { plan?: BatchRequest }
  return plan === undefined ? { ...NEW_BATCH, rule, ruleOrigin } : formOf(plan)
}

/** The body of the call. A rule trades all the money, without a drawdown limit, so that one is told from the other by its trades. */
const bodyOf = ({ mode, rule, ruleOrigin, botId, symbols, timeframes, limit }: BatchForm): BatchRequestInput => ({
  mode,
  ...(mode === 'rule' ? { rule, ruleOrigin, initialBalance: 1000, maxDrawdown: 0 } : { botId }),
  symbols,
  timeframes,
  limit: limit ?? Number.NaN,
})
