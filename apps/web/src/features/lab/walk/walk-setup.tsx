import { originWords } from '@shapecast/contracts/bots'
import { models } from '@shapecast/contracts/ml'
import { markedIn } from '@shapecast/contracts/search'
import { createWalkForward, walkForwardGround } from '@shapecast/contracts/walk-forward'
import { withoutNumbers } from '@shapecast/engine/rules/rule-numbers'
import { useState } from 'react'
import { SeriesFields } from '#entities/markets/series-fields.tsx'
import { formatCounted } from '#kit/format/number.ts'
import { formatDuration } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column } from '#kit/ui/layout.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { SwitchRow } from '#kit/ui/switch-row.tsx'
import { Note } from '#kit/ui/text.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useSettled } from '#kit/ui/use-settled.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { bodyOf, combinationsIn, isRight, POLICY_OPTIONS, usualOf, type WalkForm, wrongIn } from './walk-form.ts'

/** What is chosen before each stretch, on which candles, and how the walk moves. */
export function WalkSetup({ start, onStarted }: { start: WalkForm; onStarted: (id: string) => void }) {
  const mayRun = useIsManager()
  const isSignedIn = useUser() !== null
  const [form, setForm] = useState(start)
  const create = useEndpointMutation(createWalkForward, { onSuccess: ({ id }) => onStarted(id) })
  const change = (next: Partial<WalkForm>) => setForm({ ...form, ...next })
  const wrong = wrongIn(form)
  const number = (name: 'limit' | 'train' | 'test') => ({
    value: form[name],
    error: wrong.fields[name],
    onChange: (value: number | null) => change({ [name]: value }),
  })
  return (
    <Card
      title="Plan of a walk"
      facts={
        form.kind === 'model'
          ? 'the model is trained again on the past and trades what follows'
          : 'settings are chosen on the past and trade what follows'
      }
    >
      <Column gap={1.5}>
        <ToggleGroup
          label="What is walked"
          value={form.kind}
          choices={[
            { value: 'rule', label: 'Rule' },
            { value: 'policy', label: 'Policy' },
            { value: 'model', label: 'Model' },
          ]}
          onChange={(kind) => change(usualOf(kind))}
        />
        {form.kind === 'model' && <ModelFields form={form} change={change} error={wrong.fields.rule} />}
        {form.kind === 'rule' && (
          <>
            <TextField
              label="Rule"
              rows={3}
              value={form.rule}
              labelNote={form.ruleOrigin && originWords(form.ruleOrigin)}
              onChange={({ target: { value: rule } }) =>
                change(withoutNumbers(rule) === withoutNumbers(form.rule) ? { rule } : { rule, ruleOrigin: undefined })
              }
              help="Put the numbers that are chosen in braces: ema({fast})"
              error={wrong.fields.rule}
            />
            <div className={layout.halves}>
              {markedIn(form.rule).map((name) => (
                <TextField
                  key={name}
                  label={`Values of ${name}`}
                  value={form.marks[name] ?? ''}
                  onChange={({ target }) => change({ marks: { ...form.marks, [name]: target.value } })}
                  help="5, 10, 20 or 5 to 50 by 5"
                  error={wrong.marks[name]}
                />
              ))}
            </div>
          </>
        )}
        {form.kind === 'policy' && (
          <SelectField
            label="Policy"
            value={form.policy}
            onChange={(policy) => change({ policy })}
            options={POLICY_OPTIONS}
            help="Its risk is chosen: 20, 40 or 60% a year"
          />
        )}
        <div className={layout.halves}>
          <SeriesFields symbol={form.symbol} timeframe={form.timeframe} onChange={change} />
          <NumberField label="Newest candles" {...number('limit')} min={100} max={100_000} step={500} />
          <NumberField label="Train on" {...number('train')} min={50} step={50} unit="candles" />
          <NumberField label="Trade the next" {...number('test')} min={10} step={50} unit="candles" />
        </div>
        <SwitchRow
          title="Anchored"
          text="Each fold trains on all candles so far, instead of the newest ones."
          checked={form.anchored}
          onChange={(anchored) => change({ anchored })}
        />
        {form.kind === 'model' ? (
          <Trainings form={form} isRight={isRight(wrong)} />
        ) : (
          <Note>
            {formatCounted(combinationsIn(form), 'combination')} before each stretch; each counts as a try. The last 20%
            of the candles stay unseen.
          </Note>
        )}
        {create.isError && (
          <Banner kind="error" title="The walk could not be started">
            {errorInFull(create.error, 'Try again.')}
          </Banner>
        )}
        <div>
          <Button
            variant="contained"
            disabled={!mayRun || !isRight(wrong)}
            {...busyButton(create.isPending, () => create.mutate({ body: bodyOf(form) }))}
          >
            {mayRun ? 'Walk forward' : isSignedIn ? 'Run disabled for your role' : 'Sign in to run'}
          </Button>
        </div>
      </Column>
    </Card>
  )
}

const WAIT_MS = 400

/** Which model is trained again, and the rule that trades what it says. */
function ModelFields({
  form: { version, tradedBy },
  error,
  change,
}: {
  form: WalkForm
  error: string | undefined
  change: (change: Partial<WalkForm>) => void
}) {
  const known = useEndpointQuery(models, {})
  return (
    <>
      <SelectField
        label="Model"
        value={version === '' ? 'current' : version}
        onChange={(chosen) => change({ version: chosen === 'current' ? '' : chosen })}
        options={[
          { value: 'current', label: 'The model in use' },
          ...(known.data?.models ?? []).map((model) => ({ value: model.version, label: model.version })),
        ]}
        help="With its own settings, on the candles before each stretch alone"
      />
      <TextField
        label="Traded by"
        rows={3}
        value={tradedBy}
        onChange={({ target }) => change({ tradedBy: target.value })}
        help="A rule that asks the model: p_up, edge or sigma"
        error={error}
      />
    </>
  )
}

/** How many trainings that are, and how long they take here. */
function Trainings({ form, isRight }: { form: WalkForm; isRight: boolean }) {
  const isSignedIn = useUser() !== null
  const { symbol, timeframe, limit, train, test, anchored, version } = form
  const query = JSON.stringify({
    symbol,
    timeframe,
    limit,
    train,
    test,
    anchored: String(anchored),
    ...(version !== '' && { mlModelVersion: version }),
  })
  const settled = useSettled(query, WAIT_MS)
  const ground = useEndpointQuery(
    walkForwardGround,
    { query: JSON.parse(settled) },
    { enabled: isSignedIn && isRight && settled === query, placeholderData: (before) => before, retry: false },
  )
  if (ground.isError) return <Note tone="warn">{errorInFull(ground.error, 'Change the plan.')}</Note>
  if (ground.data === undefined)
    return <Note>Each training counts as a try. The last 20% of the candles stay unseen.</Note>
  const { folds, seconds } = ground.data
  return (
    <Note>
      {formatCounted(folds, 'training')} of {ground.data.version}
      {seconds === null
        ? '; the first tells how long the rest take.'
        : `, about ${formatDuration(Math.max(10, seconds) * 1000)} by the newest training here.`}{' '}
      Each counts as a try. They can be cancelled, and everything else goes first. The last 20% of the candles stay
      unseen.
    </Note>
  )
}
