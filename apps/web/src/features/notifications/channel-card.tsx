import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mui/material'
import {
  CHANNELS,
  type Channel,
  type ChannelSettings,
  deleteChannel,
  renewChannelSecret,
  setChannel,
  testChannel,
} from '@shapecast/contracts/notifications'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Banner } from '#kit/ui/banner.tsx'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Card } from '#kit/ui/card.tsx'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { ShownOnce } from '#kit/ui/shown-once.tsx'
import { Text } from '#kit/ui/text.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'

/** The address that a channel's messages go to, its secret, and a test of it. */
export function ChannelCard({ channel, settings }: { channel: Channel; settings: ChannelSettings | null }) {
  const { label, address, placeholder, help, isSigned } = CHANNELS[channel]
  const name = label.toLowerCase()
  const params = { channel }
  const [dialog, setDialog] = useState<'renew' | 'forget' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm({
    resolver: zodResolver(z.object({ url: z.string().trim().pipe(address) })),
    values: { url: settings?.url ?? '' },
  })
  const save = useEndpointMutation(setChannel)
  const renew = useEndpointMutation(renewChannelSecret)
  const forget = useEndpointMutation(deleteChannel)
  const test = useEndpointMutation(testChannel)
  const failed = save.error ?? test.error
  const answer = save.data?.answer ?? null
  const close = () => setDialog(null)
  return (
    <Card
      title={label}
      facts={settings === null ? 'none' : settings.isOn ? 'on' : 'off'}
      actions={
        settings !== null && (
          <>
            <Button
              variant="text"
              size="small"
              {...busyButton(save.isPending, () =>
                save.mutate({ params, body: { url: settings.url, isOn: !settings.isOn } }),
              )}
            >
              {settings.isOn ? 'Switch off' : 'Switch on'}
            </Button>
            <Button variant="text" size="small" onClick={() => setDialog('forget')}>
              Forget
            </Button>
          </>
        )
      }
    >
      <form
        noValidate
        onSubmit={form.handleSubmit(({ url }) =>
          save.mutate(
            { params, body: { url, isOn: settings?.isOn ?? true } },
            { onSuccess: (reply) => setSecret(reply.secret) },
          ),
        )}
        className={layout.formFields}
      >
        {failed !== null && <FailureBanner error={failed} text={`The ${name} was not changed.`} />}
        {answer !== null && (answer < 200 || answer > 299) && (
          <Banner kind="warning" title={`It is saved, and answered the test with ${answer}`}>
            A {name} takes messages with an answer from 200 to 299.
            {isSigned && ' Look whether it knows the signing secret.'}
          </Banner>
        )}
        {test.isSuccess && <Banner kind="info" title="A test is on its way. Its answer stands below." />}
        <TextField
          label="Address"
          placeholder={placeholder}
          autoComplete="off"
          error={form.formState.errors.url?.message}
          help={help}
          {...form.register('url')}
        />
        <Row gap={1} wrap align="stretch">
          <Button type="submit" variant="contained" disabled={!form.formState.isDirty} {...busyButton(save.isPending)}>
            {save.isPending ? 'Saving…' : 'Save address'}
          </Button>
          {settings !== null && (
            <>
              <Button {...busyButton(test.isPending, () => test.mutate({ params }))}>Send a test</Button>
              {isSigned && <Button onClick={() => setDialog('renew')}>New secret</Button>}
            </>
          )}
        </Row>
        {settings !== null && isSigned && (
          <Text size="small" tone="text2">
            The signing secret ends with {settings.secretEnd}. Each message carries{' '}
            <code>Shapecast-Signature: t=…,v1=HMAC-SHA256(t.body)</code>. Refuse what is older than 5 minutes.
          </Text>
        )}
      </form>
      {secret !== null && (
        <Dialog
          title="Keep the signing secret"
          onClose={() => setSecret(null)}
          actions={
            <Button variant="contained" onClick={() => setSecret(null)}>
              I have kept it
            </Button>
          }
        >
          <ShownOnce label="Signing secret" value={secret}>
            It is never shown again. Give it to what receives the messages.
          </ShownOnce>
        </Dialog>
      )}
      {dialog === 'renew' && (
        <ConfirmDialog
          title="Make a new secret?"
          text="Messages are signed with the new one at once. Whoever receives them must know it."
          tone="contained"
          confirmLabel={renew.isPending ? 'Making it…' : 'New secret'}
          busy={renew.isPending}
          error={renew.isError ? errorInFull(renew.error, 'The secret stays as it is.') : undefined}
          onConfirm={() =>
            renew.mutate(
              { params },
              {
                onSuccess: (reply) => {
                  close()
                  setSecret(reply.secret)
                },
              },
            )
          }
          onClose={close}
        />
      )}
      {dialog === 'forget' && (
        <ConfirmDialog
          title={`Forget the ${name}?`}
          text="Its address and secret are deleted, and what still waits is not sent."
          confirmLabel={forget.isPending ? 'Forgetting…' : 'Forget'}
          busy={forget.isPending}
          error={forget.isError ? errorInFull(forget.error, `The ${name} is still there.`) : undefined}
          onConfirm={() => forget.mutate({ params }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </Card>
  )
}
