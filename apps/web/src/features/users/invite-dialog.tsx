import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { invite } from '@shapecast/contracts/users'
import { useId } from 'react'
import { Dialog } from '#kit/ui/dialog.tsx'
import { DialogActions } from '#kit/ui/dialog-actions.tsx'
import { Column } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useUnsaved } from '#kit/ui/use-unsaved.tsx'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useContractForm } from '#wire/form/use-contract-form.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'

/** Takes the address of somebody who may register. */
export function InviteDialog({
  onInvited,
  onClose,
}: {
  onInvited: (invited: ReplyOf<typeof invite>) => void
  onClose: () => void
}) {
  const formId = useId()
  const send = useEndpointMutation(invite, { onSuccess: onInvited })
  const form = useContractForm(invite.body, { start: { email: '' }, refusal: send.error })
  const { leave, question } = useUnsaved(form.isDirty, onClose)
  return (
    <Dialog
      title="Invite somebody"
      onClose={leave}
      actions={<DialogActions label="Invite" isBusy={send.isPending} onCancel={leave} formId={formId} />}
    >
      <Column
        as="form"
        gap={2}
        id={formId}
        noValidate
        onSubmit={form.submit((body) => send.isPending || send.mutate({ body }))}
        onBlur={form.onBlur}
      >
        <Text>The invitation is a link for one email address, good for 7 days.</Text>
        <TextField label="Email" autoFocus type="email" {...form.text('email')} />
        {form.failure !== null && <FailureBanner error={form.failure} text="It could not be done" />}
      </Column>
      {question}
    </Dialog>
  )
}
