import { changeUser, endSessionsOf, type ManagedUser } from '@shapecast/contracts/users'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

const QUESTIONS = {
  disable: {
    title: (name: string) => `Disable ${name}?`,
    text: 'The account cannot be used until an admin enables it again, and every session of it ends now. Its bots go on.',
    label: 'Disable account',
  },
  sessions: {
    title: (name: string) => `End all sessions of ${name}?`,
    text: 'Every browser and program that is signed in has to sign in again.',
    label: 'End all sessions',
  },
} as const

export interface EndDialogProps {
  user: ManagedUser
  action: keyof typeof QUESTIONS
  onClose: () => void
}

/** What ends somebody's work is asked once. */
export function EndDialog({ user, action, onClose }: EndDialogProps) {
  const params = { id: user.id }
  const disable = useEndpointMutation(changeUser, { onSuccess: onClose })
  const endSessions = useEndpointMutation(endSessionsOf, { onSuccess: onClose })
  const { isPending, error } = action === 'disable' ? disable : endSessions
  const { title, text, label } = QUESTIONS[action]
  return (
    <ConfirmDialog
      title={title(user.username)}
      text={text}
      confirmLabel={label}
      busy={isPending}
      error={error === null ? undefined : errorInFull(error, 'It could not be done.')}
      onConfirm={() =>
        action === 'disable' ? disable.mutate({ params, body: { disabled: true } }) : endSessions.mutate({ params })
      }
      onClose={onClose}
    />
  )
}
