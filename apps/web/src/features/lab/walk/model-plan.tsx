import { models } from '@shapecast/contracts/ml'
import { walkForwardGround } from '@shapecast/contracts/walk-forward'
import { formatCounted } from '#kit/format/number.ts'
import { formatDuration } from '#kit/format/time.ts'
import { SelectField } from '#kit/ui/select-field.tsx'
import { Note } from '#kit/ui/text.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useSettled } from '#kit/ui/use-settled.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import type { WalkForm } from './walk-form.ts'

const WAIT_MS = 400

/** Which model is trained again, and the rule that trades what it says. */
export function ModelFields({
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
export function Trainings({ form, isRight }: { form: WalkForm; isRight: boolean }) {
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
