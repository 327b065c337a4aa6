import { BatchRequest, type BatchRequestInput, createBatch } from '@shapecast/contracts/batch'
import { bots, originWords, type RuleOrigin } from '@shapecast/contracts/bots'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { useState } from 'react'
import { ruleDraftIn } from '#entities/bots/rule-draft.ts'
import { selectableSymbols, useMarkets } from '#entities/markets/use-market-of.ts'
import { formatCounted } from '#kit/format/number.ts'
import { Card } from '#kit/ui/card.tsx'
import { MultiSelectField } from '#kit/ui/large-fields.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Column, Note } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { wrongFields } from '../lab-forms.ts'
import { StartJob } from '../lab-parts.tsx'

const MOST_SYMBOLS = 50

/** One strategy, and the series that it is run on. */
export function BatchSetup({ start, onStarted }: { start: BatchForm; onStarted: (id: string) => void }) {
  const [form, setForm] = useState(start)
  const create = useEndpointMutation(createBatch, { onSuccess: ({ id }) => onStarted(id) })
  const known = useEndpointQuery(bots, {})
  const change = (next: Partial<BatchForm>) => setForm({ ...form, ...next })
  const wrong = wrongFields(BatchRequest, bodyOf(form), {
    rule: null,
    botId: 'Choose the bot to test',
    symbols: null,
    timeframes: null,
    limit: 'Must be a whole number from 200 to 100,000',
  })
  const runs = form.symbols.length * form.timeframes.length
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
          <TextField
            label="Rule"
            rows={3}
            value={form.rule}
            labelNote={form.ruleOrigin && originWords(form.ruleOrigin)}
            onChange={({ target }) => change({ rule: target.value, ruleOrigin: undefined })}
            error={wrong.rule}
          />
        ) : (
          <SelectField
            label="Bot"
            value={form.botId}
            onChange={(botId) => change({ botId })}
            options={(known.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            placeholder={known.data?.length === 0 ? 'There is no bot yet' : 'Select a bot'}
            help="Its settings on each symbol by itself, whatever its pairs are"
            error={wrong.botId}
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
        <NumberField
          label="Newest candles of each"
          value={form.limit}
          onChange={(limit) => change({ limit })}
          min={200}
          max={100_000}
          step={500}
          error={wrong.limit}
        />
        <Note>{formatCounted(runs, 'run')}, each a try on its series. The last 20% of the candles stay unseen.</Note>
        <StartJob
          what="batch"
          words="Run batch"
          disabled={Object.keys(wrong).length > 0}
          create={create}
          onStart={() => create.mutate({ body: bodyOf(form) })}
        />
      </Column>
    </Card>
  )
}

/** What stands in the form of a batch; an empty number is null. */
interface BatchForm {
  readonly mode: 'rule' | 'bot'
  readonly rule: string
  /** The stored rule that it is. */
  readonly ruleOrigin: RuleOrigin | undefined
  readonly botId: string
  readonly symbols: readonly string[]
  readonly timeframes: readonly Timeframe[]
  readonly limit: number | null
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
const formOf = ({ rule, ruleOrigin, botId, symbols, timeframes, limit }: BatchRequest): BatchForm => ({
  ...NEW_BATCH,
  ...(rule === undefined ? { mode: 'bot', botId: botId ?? '' } : { rule, ruleOrigin }),
  symbols,
  timeframes,
  limit,
})

export const planState = (plan: BatchRequest) => ({ plan })

/** The form of a new batch, from the state of the history: of a rule that comes from its editor, or of an earlier batch. */
export function startIn(state: unknown): BatchForm {
  const draft = ruleDraftIn(state)
  const { plan } = (state ?? {}) as { plan?: BatchRequest }
  if (plan !== undefined) return formOf(plan)
  return draft === undefined ? NEW_BATCH : { ...NEW_BATCH, rule: draft.rule, ruleOrigin: draft.ruleOrigin }
}

/** The body of the call. A rule trades all the money, without a drawdown limit, so that one is told from the other by its trades. */
const bodyOf = ({ mode, rule, ruleOrigin, botId, symbols, timeframes, limit }: BatchForm): BatchRequestInput => ({
  mode,
  ...(mode === 'rule' ? { rule, ruleOrigin, initialBalance: 1000, maxDrawdown: 0 } : { botId }),
  symbols: [...symbols],
  timeframes: [...timeframes],
  limit: limit ?? Number.NaN,
})
