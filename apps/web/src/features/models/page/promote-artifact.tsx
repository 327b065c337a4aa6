import { Button } from '@mui/material'
import { type ArtifactDetail, promoteArtifact } from '@shapecast/contracts/ml'
import { formatExactTime } from '#kit/format/time.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Text } from '#kit/ui/text.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

const NOT_PROMOTED = 'It could not be promoted.'

/** Makes an artifact the one that predicts, whatever its comparison says. */
export function PromoteArtifact({ artifact }: { artifact: ArtifactDetail }) {
  const promote = useEndpointMutation(promoteArtifact)
  return (
    <div style={{ display: 'flex', flexDirection: 'column', alignItems: 'flex-end', gap: 4 }}>
      <Button
        size="small"
        aria-label={`Promote the artifact of ${formatExactTime(artifact.createdAt)}`}
        {...busyPress(promote.isPending, () => promote.mutate({ params: { id: artifact.id } }))}
      >
        {promote.isPending ? 'Promoting…' : 'Promote'}
      </Button>
      {promote.isError && (
        <Text role="alert" size="label" tone="down">
          {errorInFull(promote.error, NOT_PROMOTED)}
        </Text>
      )}
    </div>
  )
}
