import { Button } from '@mui/material'
import { type ArtifactDetail, modelDetail } from '@shapecast/contracts/ml'
import { deleteUpload } from '@shapecast/contracts/uploads'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatExactTime } from '#kit/format/time.ts'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { endpointKey, useEndpointMutation } from '#wire/calls/use-endpoint.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('#kit/ui/confirm-dialog.tsx')).ConfirmDialog }))

/** Lets who uploaded a model, and managers, give it up again. */
export function DeleteUpload({
  version,
  artifact,
  isOnly,
}: {
  version: string
  artifact: ArtifactDetail
  isOnly: boolean
}) {
  const [isAsking, setIsAsking] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const deletion = useEndpointMutation(deleteUpload, {
    onSuccess: async () => {
      setIsAsking(false)
      await navigate(isOnly ? paths.dataCenter : paths.model(version))
      // Its page is being left: the version that is gone is not asked for.
      if (isOnly) queryClient.removeQueries({ queryKey: endpointKey(modelDetail) })
    },
  })
  const close = () => {
    setIsAsking(false)
    deletion.reset()
  }
  return (
    <>
      <Button variant="text" size="small" style={{ marginRight: -8 }} onClick={() => setIsAsking(true)}>
        Delete upload
      </Button>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            title="Delete this upload?"
            text={`Its file, its card and its figures are lost. What it has said on the track record stays there.${artifact.active ? ' The newest other one of its series predicts then, or none.' : ''}`}
            subject={`${version} on ${artifact.symbol} ${artifact.timeframe}, uploaded ${formatExactTime(artifact.createdAt)}`}
            confirmLabel={deletion.isPending ? 'Deleting…' : 'Delete'}
            busy={deletion.isPending}
            error={deletion.isError ? errorInFull(deletion.error, 'It could not be deleted.') : undefined}
            onConfirm={() => deletion.mutate({ params: { id: artifact.id } })}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}
