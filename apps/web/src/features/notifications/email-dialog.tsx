import { confirmEmail, setEmail } from '@shapecast/contracts/notifications'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { Column, Text } from '#kit/ui/primitives.tsx'
import { TextField, useTyped } from '#kit/ui/text-field.tsx'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'

/** An email address, then the code that was mailed there. */
export function EmailDialog({ current, onClose }: { current: string | null; onClose: () => void }) {
  const user = useUser()
  const address = useTyped(current ?? user?.email)
  const code = useTyped()
  const send = useEndpointMutation(setEmail)
  const confirm = useEndpointMutation(confirmEmail, { onSuccess: onClose })
  const isSent = send.isSuccess
  const next = () =>
    isSent ? confirm.mutate({ body: { code: code.text } }) : send.mutate({ body: { address: address.text } })
  const error = confirm.error ?? send.error
  return (
    <Dialog
      title="E-mail"
      onClose={onClose}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="contained"
            disabled={(isSent ? code : address).text.trim() === ''}
            {...busyButton(send.isPending || confirm.isPending, next)}
          >
            {isSent ? 'Confirm' : 'Send a code'}
          </Button>
        </>
      }
    >
      <Column gap={1.5}>
        <FailureBanner error={error} text="The address was not set." />
        <TextField label="Address" type="email" autoComplete="email" disabled={isSent} {...address.field} />
        {isSent && (
          <>
            <Text size="small" tone="text2">
              A code is on its way there. It works once, within an hour.
            </Text>
            <TextField label="Code" autoComplete="one-time-code" autoFocus {...code.field} />
          </>
        )}
      </Column>
    </Dialog>
  )
}
