import { zodResolver } from '@hookform/resolvers/zod'
import { Box, Button, Typography } from '@mui/material'
import type { ReplyOf } from '@shapecast/contracts/endpoint'
import {
  deleteWebhook,
  deliveries,
  notificationSettings,
  renewWebhookSecret,
  setWebhook,
  testWebhook,
  WebhookAddress,
} from '@shapecast/contracts/notifications'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { errorInFull } from '../../shared/api/error-text.ts'
import { useEndpointChange } from '../../shared/api/use-endpoint.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'
import { Card } from '../../shared/ui/card.tsx'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { FailureBanner } from '../../shared/ui/failed-change.tsx'
import { formFields } from '../../shared/ui/page-layout.ts'
import { ShownOnce } from '../../shared/ui/shown-once.tsx'
import { TextField } from '../../shared/ui/text-field.tsx'

type Webhook = ReplyOf<typeof notificationSettings>['webhook']

/** The address that messages go to, its secret, and a test of it. */
export function WebhookCard({ webhook }: { webhook: Webhook }) {
  const [dialog, setDialog] = useState<'renew' | 'forget' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm({
    resolver: zodResolver(z.object({ url: WebhookAddress })),
    values: { url: webhook?.url ?? '' },
  })
  const save = useEndpointChange(setWebhook, [notificationSettings])
  const renew = useEndpointChange(renewWebhookSecret, [notificationSettings])
  const forget = useEndpointChange(deleteWebhook, [notificationSettings])
  const test = useEndpointChange(testWebhook, [deliveries])
  const failed = save.error ?? test.error
  const answer = save.data?.answer ?? null
  const close = () => setDialog(null)
  return (
    <Card
      title="Webhook"
      facts={webhook === null ? 'none' : webhook.isOn ? 'on' : 'off'}
      actions={
        webhook !== null && (
          <>
            <Button
              variant="text"
              size="small"
              {...busyPress(save.isPending, () => save.mutate({ body: { url: webhook.url, isOn: !webhook.isOn } }))}
            >
              {webhook.isOn ? 'Switch off' : 'Switch on'}
            </Button>
            <Button variant="text" size="small" onClick={() => setDialog('forget')}>
              Forget
            </Button>
          </>
        )
      }
    >
      <Box
        component="form"
        noValidate
        onSubmit={form.handleSubmit(({ url }) =>
          save.mutate(
            { body: { url, isOn: webhook?.isOn ?? true } },
            { onSuccess: (reply) => setSecret(reply.secret) },
          ),
        )}
        sx={formFields}
      >
        {failed !== null && <FailureBanner error={failed} text="The webhook was not changed." />}
        {answer !== null && (answer < 200 || answer > 299) && (
          <Banner kind="warning" title={`It is saved, and answered the test with ${answer}`}>
            A webhook takes messages with an answer from 200 to 299. Look whether it knows the signing secret.
          </Banner>
        )}
        {test.isSuccess && <Banner kind="info" title="A test is on its way. Its answer stands below." />}
        <TextField
          label="Address"
          placeholder="https://"
          autoComplete="off"
          error={form.formState.errors.url?.message}
          help="Takes Telegram, Slack and Discord bridges. Private and loopback addresses are refused unless an admin allows them."
          {...form.register('url')}
        />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button type="submit" variant="contained" disabled={!form.formState.isDirty} {...busyPress(save.isPending)}>
            {save.isPending ? 'Saving…' : 'Save address'}
          </Button>
          {webhook !== null && (
            <>
              <Button {...busyPress(test.isPending, () => test.mutate({}))}>Send a test</Button>
              <Button onClick={() => setDialog('renew')}>New secret</Button>
            </>
          )}
        </Box>
        {webhook !== null && (
          <Typography variant="small" sx={{ color: colors.text2 }}>
            The signing secret ends with {webhook.secretEnd}. Each message carries{' '}
            <code>Shapecast-Signature: t=…,v1=HMAC-SHA256(t.body)</code>. Refuse what is older than 5 minutes.
          </Typography>
        )}
      </Box>
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
              {},
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
          title="Forget the webhook?"
          text="Its address and secret are deleted, and what still waits is not sent."
          confirmLabel={forget.isPending ? 'Forgetting…' : 'Forget'}
          busy={forget.isPending}
          error={forget.isError ? errorInFull(forget.error, 'The webhook is still there.') : undefined}
          onConfirm={() => forget.mutate({}, { onSuccess: close })}
          onClose={close}
        />
      )}
    </Card>
  )
}
