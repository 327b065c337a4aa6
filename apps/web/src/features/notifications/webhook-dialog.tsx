import { zodResolver } from '@hookform/resolvers/zod'
import {
  type ConnectedChannel,
  renewWebhookSecret,
  setWebhook,
  WebhookAddress,
} from '@shapecast/contracts/notifications'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { ShownOnce } from '#kit/ui/copy-button.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { Text } from '#kit/ui/primitives.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'

/** The address of the webhook, and its secret, which is shown once. */
export function WebhookDialog({ current, onClose }: { current: ConnectedChannel | null; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm({
    resolver: zodResolver(z.object({ url: WebhookAddress })),
    defaultValues: { url: current?.name ?? '' },
  })
  const save = useEndpointMutation(setWebhook)
  const renew = useEndpointMutation(renewWebhookSecret)
  const answer = save.data?.answer
  const submit = form.handleSubmit(({ url }) =>
    save.mutate({ body: { url } }, { onSuccess: (reply) => setSecret(reply.secret) }),
  )
  return (
    <Dialog
      title="Webhook"
      onClose={onClose}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            {save.isSuccess || secret !== null ? 'Done' : 'Cancel'}
          </Button>
          {current !== null && (
            <Button
              {...busyButton(renew.isPending, () =>
                renew.mutate({}, { onSuccess: (reply) => setSecret(reply.secret) }),
              )}
            >
              New secret
            </Button>
          )}
          <Button variant="contained" {...busyButton(save.isPending, () => void submit())}>
            {save.isPending ? 'Trying it…' : 'Save address'}
          </Button>
        </>
      }
    >
      <form noValidate onSubmit={submit} className={layout.formFields} style={{ padding: 0 }}>
        <FailureBanner error={save.error ?? renew.error} text="The webhook was not changed." />
        {answer?.isTaken === false && (
          <Banner kind="warning" title={`It is saved, and answered the test with ${answer.words}`}>
            A webhook takes messages with an answer from 200 to 299. Look whether it knows the signing secret.
          </Banner>
        )}
        {answer?.isTaken && <Banner kind="info" title={`It took a test with ${answer.words}`} />}
        <TextField
          label="Address"
          placeholder="https://"
          autoComplete="off"
          error={form.formState.errors.url?.message}
          help="Takes Slack and Discord bridges. Private and loopback addresses are refused unless an admin allows them."
          {...form.register('url')}
        />
        {secret !== null && (
          <ShownOnce label="Signing secret" value={secret}>
            It is never shown again. Give it to what receives the messages.
          </ShownOnce>
        )}
        <Text size="small" tone="text2">
          {current !== null && secret === null && `The signing secret ends with ${current.secretEnd}. `}
          Each message carries <code>Shapecast-Signature: t=…,v1=HMAC-SHA256(t.body)</code>. Refuse what is older than 5
          minutes.
        </Text>
      </form>
    </Dialog>
  )
}
