import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { invitations, invite, withdrawInvitation } from '@shapecast/contracts/users'
import { formatDate } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { FormDialog } from '#kit/ui/dialog.tsx'
import { Text } from '#kit/ui/primitives.tsx'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useUnsaved } from '#kit/ui/use-unsaved.tsx'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'

/** Invitations that nobody has taken up yet. */
export function InvitationsCard() {
  const reply = useEndpointQuery(invitations, {})
  const withdraw = useEndpointMutation(withdrawInvitation)
  const open = reply.data?.invitations
  return (
    <Card title="Invitations" facts={open?.length} flush>
      <FailureBanner error={withdraw.error} text="The invitation was not withdrawn." inset />
      <QueryBoundary reply={reply} of="the invitations" px={28} rows={1} inset />
      {open?.length === 0 && <EmptyLine>No invitation is open.</EmptyLine>}
      {open?.map(({ id, email, invitedBy, expiresAt }) => (
        <SettingRow
          key={id}
          title={email}
          action={
            <Button
              size="small"
              aria-label={`Withdraw the invitation of ${email}`}
              {...busyButton(withdraw.isPending, () => withdraw.mutate({ params: { id } }))}
            >
              Withdraw
            </Button>
          }
        >
          {invitedBy !== null && `by ${invitedBy.username} · `}good until {formatDate(expiresAt)}
        </SettingRow>
      ))}
    </Card>
  )
}

/** Takes the address of somebody who may register. */
export function InviteDialog({
  onInvited,
  onClose,
}: {
  onInvited: (invited: ReplyOf<typeof invite>) => void
  onClose: () => void
}) {
  const send = useEndpointMutation(invite, { onSuccess: onInvited })
  const form = useContractForm(invite.body, { start: { email: '' }, refusal: send.error })
  const { leave, question } = useUnsaved(form.isDirty, onClose)
  return (
    <FormDialog
      title="Invite somebody"
      label="Invite"
      isBusy={send.isPending}
      onClose={leave}
      onSubmit={form.submit((body) => send.isPending || send.mutate({ body }))}
      onBlur={form.onBlur}
    >
      <Text>The invitation is a link for one email address, good for 7 days.</Text>
      <TextField label="Email" autoFocus type="email" {...form.text('email')} />
      <FailureBanner error={form.failure} text="It could not be done" />
      {question}
    </FormDialog>
  )
}
