import {
  endRetraining,
  type Retraining,
  RetrainingDraft,
  retrainings,
  setRetraining,
} from '@shapecast/contracts/retraining'
import { useState } from 'react'
import { formatTableTime, zoneWords } from '#kit/format/time.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Note, Row, Text } from '#kit/ui/primitives.tsx'
import { SwitchRow } from '#kit/ui/setting-row.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { useUnsaved } from '#kit/ui/use-unsaved.tsx'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { confirming, FailureBanner } from '#wire/ui/failed-change.tsx'
import { useArtifact } from './artifact-list.tsx'

type Series = Pick<RetrainingDraft, 'version' | 'symbol' | 'timeframe'>

/** When a model is trained again by itself, in a sentence. */
export function retrainingWords({ everyDays, onDrift, mode }: Omit<RetrainingDraft, keyof Series>): string {
  const days = everyDays === 1 ? 'every day' : `every ${everyDays} days`
  const when = [everyDays !== null && days, onDrift && 'once its live score is found worse']
    .filter(Boolean)
    .join(', and ')
  const then = mode === 'offer' ? 'is offered, and waits to be promoted' : 'predicts from then on'
  return `Trained again ${when}. One that is better beyond chance ${then}.`
}

/** Whether and when a version is trained again by itself on a series; changed by those who may promote. */
export function RetrainingCard() {
  const { version, artifact, mayPromote: mayChange } = useArtifact()
  const { symbol, timeframe } = artifact
  const reply = useEndpointQuery(retrainings, { query: { version } })
  const plan = reply.data?.find((one) => one.symbol === symbol && one.timeframe === timeframe) ?? null
  const [dialog, setDialog] = useState<'set' | 'end' | null>(null)
  const end = useEndpointMutation(endRetraining, { onSuccess: () => setDialog(null) })
  if (reply.data === undefined || (plan === null && !mayChange)) return null
  const close = () => setDialog(null)
  return (
    <Card
      title="Retraining"
      actions={
        mayChange && (
          <Row gap={1}>
            {plan !== null && (
              <Button size="small" variant="text" onClick={() => setDialog('end')}>
                End
              </Button>
            )}
            <Button size="small" onClick={() => setDialog('set')}>
              {plan === null ? 'Set up' : 'Change'}
            </Button>
          </Row>
        )
      }
    >
      <Text as="div" size="small" tone="text2">
        {plan === null ? 'It is trained again only when somebody asks for it.' : retrainingWords(plan)}
      </Text>
      {plan !== null && <Note tone="text3">{turnsOf(plan)}</Note>}
      {plan?.error != null && (
        <Text as="div" size="small" tone="warn">
          The last attempt asked for nothing: {plan.error}
        </Text>
      )}
      {dialog === 'set' && <RetrainingDialog series={{ version, symbol, timeframe }} plan={plan} onClose={close} />}
      {dialog === 'end' && plan !== null && (
        <ConfirmDialog
          title={`Stop training ${version} by itself?`}
          text="What is being trained goes on, and what predicts now stays."
          {...confirming(end, 'End retraining', 'Ending…', 'It is still trained by itself.')}
          onConfirm={() => end.mutate({ params: { id: plan.id } })}
          onClose={close}
        />
      )}
    </Card>
  )
}

const turnsOf = ({ lastAt, nextAt }: Retraining): string =>
  [
    lastAt === null ? 'Not trained by itself yet' : `Last ${formatTableTime(lastAt)} ${zoneWords()}`,
    nextAt !== null && `next ${formatTableTime(nextAt)} ${zoneWords()}`,
    'each counts as a trial',
  ]
    .filter(Boolean)
    .join(' · ')

function RetrainingDialog({ series, plan, onClose }: { series: Series; plan: Retraining | null; onClose: () => void }) {
  const save = useEndpointMutation(setRetraining, { onSuccess: onClose })
  const { everyDays, onDrift, mode } = plan ?? ({ everyDays: 30, onDrift: true, mode: 'offer' } as const)
  const form = useContractForm<typeof RetrainingDraft, Omit<RetrainingDraft, keyof Series>>(RetrainingDraft, {
    start: { everyDays, onDrift, mode },
    toBody: (values) => ({ ...series, ...values }),
    refusal: save.error,
  })
  const { leave, question } = useUnsaved(form.isDirty, onClose)
  const submit = form.submit((body) => save.mutate({ body }))
  return (
    <Dialog
      title={`Train ${series.version} again`}
      onClose={leave}
      actions={
        <DialogActions
          label={save.isPending ? 'Saving…' : 'Save'}
          isBusy={save.isPending}
          onCancel={leave}
          onConfirm={() => void submit()}
        />
      }
    >
      <form noValidate onSubmit={submit} onBlur={form.onBlur} className={layout.formFields} style={{ padding: 0 }}>
        {form.failure !== null && <FailureBanner error={form.failure} text="Nothing was changed." />}
        <Text size="small" tone="text2">
          With its own settings, on as many of the newest candles as it learnt from. The newer model is held against the
          one that predicts, on candles that neither has learnt from.
        </Text>
        <NumberField
          label="Every"
          unit="days"
          step={1}
          help="Days of the market. Leave it empty to train after drift alone."
          {...form.field('everyDays')}
        />
        <SwitchRow
          title="After drift"
          text="Once the test of its live score, which may be looked at every day, finds it worse."
          checked={form.values.onDrift}
          onChange={(onDrift) => form.change({ onDrift })}
        />
        <ToggleGroup
          label="A better one"
          fullWidth
          value={form.values.mode}
          onChange={(mode) => form.change({ mode })}
          choices={{ offer: 'Is offered', take: 'Predicts at once' }}
        />
        <Note tone="text2">
          {form.values.mode === 'offer'
            ? 'It waits here until you promote it.'
            : 'Bots on this model keep the one that they started on, unless they follow their model.'}
        </Note>
      </form>
      {question}
    </Dialog>
  )
}
