import { markedIn } from '@shapecast/contracts/search'
import { createWalkForward, walkForward, walkForwardGround, walkForwards } from '@shapecast/contracts/walk-forward'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { ruleDraftIn } from '#entities/bots/rule-draft.ts'
import { SeriesFields } from '#entities/markets/series-fields.tsx'
import { formatCounted } from '#kit/format/number.ts'
import { formatDuration } from '#kit/format/time.ts'
import { Card, SkeletonGroup } from '#kit/ui/card.tsx'
import { fieldsOf } from '#kit/ui/field.tsx'
import layout from '#kit/ui/layout.module.css'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Column, Note } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { SwitchRow } from '#kit/ui/setting-row.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useSettled } from '#kit/ui/use-settled.ts'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { endpointQuery, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { SignedIn } from '#wire/ui/signed-in.tsx'
import { LabPage, ModelField, RuleField, StartJob } from '../lab-parts.tsx'
import {
  bodyOf,
  combinationsIn,
  formOf,
  markField,
  NEW_WALK,
  POLICY_OPTIONS,
  usualOf,
  type WalkForm,
  walkOf,
  wrongIn,
} from './walk-form.ts'
import { WalkResult } from './walk-result.tsx'

const WALKS = {
  title: 'Walk-forward',
  past: 'Walks',
  what: 'walk',
  unit: 'fold',
  one: (id: string) => endpointQuery(walkForward, { params: { id } }),
  list: walkForwards,
  path: paths.walkForward,
}

/** Walk-forward: the plan of one and those before, or the walk that the address names. */
export function WalkPage() {
  const [search, setSearch] = useSearchParams()
  const plan = search.get('plan')
  const draft = ruleDraftIn(useLocation().state)
  const onStarted = (walk: string) => setSearch({ walk })
  return (
    <LabPage kind={WALKS} result={(walk, result) => <WalkResult walk={walk} result={result} />}>
      {plan === null ? (
        <WalkSetup start={draft === undefined ? NEW_WALK : walkOf(draft)} onStarted={onStarted} />
      ) : (
        <SignedIn to="see the plan of this walk">
          <SamePlan key={plan} id={plan} onStarted={onStarted} />
        </SignedIn>
      )}
    </LabPage>
  )
}

function SamePlan({ id, onStarted }: { id: string; onStarted: (walk: string) => void }) {
  const reply = useEndpointQuery(walkForward, { params: { id } })
  return reply.data === undefined ? (
    <QueryBoundary reply={reply} title="The plan of this walk could not be loaded">
      <SkeletonGroup label="Loading the plan" height={240} />
    </QueryBoundary>
  ) : (
    <WalkSetup start={formOf(reply.data.request)} onStarted={onStarted} />
  )
}

function WalkSetup({ start, onStarted }: { start: WalkForm; onStarted: (id: string) => void }) {
  const [form, setForm] = useState(start)
  const create = useEndpointMutation(createWalkForward, { onSuccess: ({ id }) => onStarted(id) })
  const change = (next: Partial<WalkForm>) => setForm({ ...form, ...next })
  const wrong = wrongIn(form)
  const field = fieldsOf(form, change, wrong)
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
          choices={{ rule: 'Rule', policy: 'Policy', model: 'Model' }}
          onChange={(kind) => change(usualOf(kind))}
        />
        {form.kind === 'model' && (
          <>
            <ModelField
              version={form.version}
              onChange={(version) => change({ version })}
              help="With its own settings, on the candles before each stretch alone"
            />
            <TextField
              label="Traded by"
              rows={3}
              value={form.tradedBy}
              onChange={({ target }) => change({ tradedBy: target.value })}
              help="A rule that asks the model: p_up, edge or sigma"
              error={wrong.rule}
            />
          </>
        )}
        {form.kind === 'rule' && (
          <>
            <RuleField
              form={form}
              onChange={change}
              help="Put the numbers that are chosen in braces: ema({fast})"
              error={wrong.rule}
            />
            <div className={layout.halves}>
              {markedIn(form.rule).map((name) => (
                <TextField
                  key={name}
                  label={`Values of ${name}`}
                  value={form.marks[name] ?? ''}
                  onChange={({ target }) => change({ marks: { ...form.marks, [name]: target.value } })}
                  help="5, 10, 20 or 5 to 50 by 5"
                  error={wrong[markField(name)]}
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
          <NumberField label="Newest candles" {...field('limit')} min={100} max={100_000} step={500} />
          <NumberField label="Train on" {...field('train')} min={50} step={50} unit="candles" />
          <NumberField label="Trade the next" {...field('test')} min={10} step={50} unit="candles" />
        </div>
        <SwitchRow
          title="Anchored"
          text="Each fold trains on all candles so far, instead of the newest ones."
          checked={form.anchored}
          onChange={(anchored) => change({ anchored })}
        />
        {form.kind === 'model' ? (
          <Trainings form={form} isRight={Object.keys(wrong).length === 0} />
        ) : (
          <Note>
            {formatCounted(combinationsIn(form), 'combination')} before each stretch; each counts as a try. The last 20%
            of the candles stay unseen.
          </Note>
        )}
        <StartJob
          what="walk"
          words="Walk forward"
          wrong={wrong}
          create={create}
          onStart={() => create.mutate({ body: bodyOf(form) })}
        />
      </Column>
    </Card>
  )
}

const WAIT_MS = 400

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
