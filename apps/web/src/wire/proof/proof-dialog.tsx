import { useMutation } from '@tanstack/react-query'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { confirming } from '#wire/ui/failed-change.tsx'
import { useIdentityProof } from './use-identity-proof.tsx'

/** Takes the second factor, or the password where there is none. */
export function ProofDialog({ onGiven, onClose }: { onGiven: () => void; onClose: () => void }) {
  const proof = useIdentityProof()
  const give = useMutation({ mutationFn: proof.give, onSuccess: onGiven })
  return (
    <ConfirmDialog
      title="Confirm that it is you"
      text="This lowers a protection, moves real money or gives somebody rights. You are not asked again for five minutes."
      subject={proof.field}
      {...confirming(give, 'Confirm', 'Checking…', 'It could not be checked.')}
      tone="contained"
      disabledReason={proof.missing === null ? undefined : `Give the ${proof.missing} first`}
      onConfirm={() => give.mutate()}
      onClose={onClose}
    />
  )
}
