import { Box, Button, Typography } from '@mui/material'
import { type ArtifactDetail, promoteArtifact } from '@shapecast/contracts/ml'
import { formatExactTime } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

const NOT_PROMOTED = 'It could not be promoted.'

/** Makes an artifact the one that predicts, whatever its comparison says. */
export function PromoteArtifact({ artifact }: { artifact: ArtifactDetail }) {
  const promote = useEndpointMutation(promoteArtifact)
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'flex-end', gap: 0.5 }}>
      <Button
        size="small"
        aria-label={`Promote the artifact of ${formatExactTime(artifact.createdAt)}`}
        {...busyPress(promote.isPending, () => promote.mutate({ params: { id: artifact.id } }))}
      >
        {promote.isPending ? 'Promoting…' : 'Promote'}
      </Button>
      {promote.isError && (
        <Typography variant="label" role="alert" sx={{ color: colors.down }}>
          {errorInFull(promote.error, NOT_PROMOTED)}
        </Typography>
      )}
    </Box>
  )
}
