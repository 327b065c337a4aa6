import { Box, Button, Typography } from '@mui/material'
import { type ArtifactDetail, modelDetail, models, promoteArtifact } from '@shapecast/contracts/ml'
import { useQueryClient } from '@tanstack/react-query'
import { formatExactTime } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { endpointKey, readAgainAfter, useEndpointMutation } from '#wire/calls/use-endpoint.ts'

const NOT_PROMOTED = 'It could not be promoted.'

function usePromotion() {
  const queryClient = useQueryClient()
  return useEndpointMutation(promoteArtifact, {
    onSettled: readAgainAfter(() =>
      Promise.all(
        [models, modelDetail].map((endpoint) => queryClient.invalidateQueries({ queryKey: endpointKey(endpoint) })),
      ),
    ),
  })
}

/** Makes an artifact the one that predicts, whatever its comparison says. */
export function PromoteArtifact({ artifact }: { artifact: ArtifactDetail }) {
  const promote = usePromotion()
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
