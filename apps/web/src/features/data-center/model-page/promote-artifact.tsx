import { Box, Button, Typography } from '@mui/material'
import { type ArtifactDetail, modelDetail, models, promoteArtifact } from '@shapecast/contracts/ml'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../shared/api/error-text.ts'
import { endpointKey, useEndpointMutation } from '../../../shared/api/use-endpoint.ts'
import { formatExactTime } from '../../../shared/format/time.ts'
import { DespiteLeak, TICK_FIRST } from '../../../shared/models/despite-leak.tsx'
import { colors } from '../../../shared/theme/tokens.ts'
import { busyPress } from '../../../shared/ui/busy-press.ts'
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx'

const NOT_PROMOTED = 'It could not be promoted.'

function usePromotion() {
  const queryClient = useQueryClient()
  return useEndpointMutation(promoteArtifact, {
    onSettled: () =>
      Promise.all(
        [models, modelDetail].map((endpoint) => queryClient.invalidateQueries({ queryKey: endpointKey(endpoint) })),
      ),
  })
}

function LeakDialog({ artifact, onClose }: { artifact: ArtifactDetail; onClose: () => void }) {
  const promote = usePromotion()
  const [isConfirmed, setIsConfirmed] = useState(false)
  return (
    <ConfirmDialog
      title="Promote an artifact that leaks?"
      lead={
        <DespiteLeak
          title={`Its audit on ${artifact.symbol} ${artifact.timeframe} found that it knows the future`}
          isConfirmed={isConfirmed}
          onChange={setIsConfirmed}
        />
      }
      confirmLabel={promote.isPending ? 'Promoting…' : 'Promote'}
      whyNot={isConfirmed ? undefined : TICK_FIRST}
      busy={promote.isPending}
      error={promote.isError ? errorText(promote.error, NOT_PROMOTED) : undefined}
      onConfirm={() =>
        promote.mutate({ params: { id: artifact.id }, body: { despiteLeak: true } }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  )
}

/** Lets a manager make an artifact the one that predicts, whatever its comparison says; one that leaks is asked about. */
export function PromoteArtifact({ artifact }: { artifact: ArtifactDetail }) {
  const promote = usePromotion()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'flex-end', gap: 0.5 }}>
      <Button
        size="small"
        aria-label={`Promote the artifact of ${formatExactTime(artifact.createdAt)}`}
        {...busyPress(promote.isPending, () => {
          if (artifact.leak === 'failed') setIsAsking(true)
          else promote.mutate({ params: { id: artifact.id }, body: {} })
        })}
      >
        {promote.isPending ? 'Promoting…' : 'Promote'}
      </Button>
      {promote.isError && (
        <Typography variant="label" role="alert" sx={{ color: colors.down }}>
          {errorText(promote.error, NOT_PROMOTED)}
        </Typography>
      )}
      {isAsking && <LeakDialog artifact={artifact} onClose={() => setIsAsking(false)} />}
    </Box>
  )
}
