import { createBatch } from '@shapecast/contracts/batch'
import { bots, originWords } from '@shapecast/contracts/bots'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { useState } from 'react'
import { selectableSymbols, useMarkets } from '#entities/markets/use-market-of.ts'
import { formatCounted } from '#kit/format/number.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Column } from '#kit/ui/layout.tsx'
import { MultiSelectField } from '#kit/ui/multi-select-field.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { Note } from '#kit/ui/text.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { type BatchForm, bodyOf, wrongIn } from './batch-form.ts'

const MOST_SYMBOLS = 50

/** One strategy, and the series that it is run on. */
export function BatchSetup({ start, onStarted }: { start: BatchForm; onStarted: (id: string) => void }) {
  const mayRun = useIsManager()
  const isSignedIn = useUser() !== null
  const [form, setForm] = useState(start)
  const create = useEndpointMutation(createBatch, { onSuccess: ({ id }) => onStarted(id) })
  const known = useEndpointQuery(bots, {})
  const change = (next: Partial<BatchForm>) => setForm({ ...form, ...next })
  const wrong = wrongIn(form)
  const runs = form.symbols.length * form.timeframes.length
  return (
    <Card title="New batch" facts="the same settings everywhere">
      <Column gap={1.5}>
        <ToggleGroup
          label="What is run"
          value={form.mode}
          choices={[
            { value: 'rule', label: 'Rule' },
            { value: 'bot', label: 'Bot' },
          ]}
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
        {create.isError && (
          <Banner kind="error" title="The batch could not be started">
            {errorInFull(create.error, 'Try again.')}
          </Banner>
        )}
        <div>
          <Button
            variant="contained"
            disabled={!mayRun || Object.keys(wrong).length > 0}
            {...busyButton(create.isPending, () => create.mutate({ body: bodyOf(form) }))}
          >
            {mayRun ? 'Run batch' : isSignedIn ? 'Run disabled for your role' : 'Sign in to run'}
          </Button>
        </div>
      </Column>
    </Card>
  )
}
