import { changeNotificationSettings, QuietHours } from '@shapecast/contracts/notifications'
import { useState } from 'react'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { FormDialog } from '#kit/ui/dialog.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { SettingRow, Switch } from '#kit/ui/setting-row.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'

/** That of this browser, which stands in for a list of four hundred. */
const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const atFirst = (): QuietHours => ({ isOn: false, from: '22:00', to: '07:00', timeZone: ownTimeZone() })

/** When a person is told only what cannot wait. */
export function QuietCard({ quiet }: { quiet: QuietHours | null }) {
  const save = useEndpointMutation(changeNotificationSettings)
  const [isEdited, setEdited] = useState(false)
  const shown = quiet ?? atFirst()
  return (
    <Card title="Quiet hours" flush>
      <FailedChange change={save} text="The quiet hours could not be changed" />
      <SettingRow
        icon={
          <Switch
            checked={shown.isOn}
            aria-label="Quiet hours"
            {...busyButton(save.isPending)}
            onChange={(isOn) => save.mutate({ body: { quiet: { ...shown, isOn } } })}
          />
        }
        title={`Quiet from ${shown.from} to ${shown.to}, ${shown.timeZone}`}
        action={
          <Button size="small" aria-label="Change quiet hours" onClick={() => setEdited(true)}>
            Change
          </Button>
        }
      >
        Alerts, halts, errors and security still come through; the rest waits and comes as one message. The app and
        webhooks are told at once.
      </SettingRow>
      {isEdited && <QuietDialog quiet={shown} onClose={() => setEdited(false)} />}
    </Card>
  )
}

function QuietDialog({ quiet, onClose }: { quiet: QuietHours; onClose: () => void }) {
  const save = useEndpointMutation(changeNotificationSettings, { onSuccess: onClose })
  const timeZone = ownTimeZone()
  const form = useContractForm(QuietHours, { start: { ...quiet, isOn: true, timeZone }, refusal: save.error })
  const clock = (name: 'from' | 'to', label: string) => {
    const { value, error } = form.field(name)
    return (
      <TextField
        label={label}
        type="time"
        value={value}
        error={error}
        onChange={({ target }) => form.change({ [name]: target.value })}
      />
    )
  }
  return (
    <FormDialog
      title="Quiet hours"
      label={save.isPending ? 'Saving…' : 'Save'}
      isBusy={save.isPending}
      onClose={onClose}
      onBlur={form.onBlur}
      onSubmit={form.submit((body) => save.mutate({ body: { quiet: body } }))}
    >
      <FailedChange change={save} text="The quiet hours could not be changed" />
      <Row gap={2}>
        {clock('from', 'From')}
        {clock('to', 'To')}
      </Row>
      <Text size="small" tone="text2">
        Every day, by the clocks of {timeZone}, as in this browser.
      </Text>
    </FormDialog>
  )
}
