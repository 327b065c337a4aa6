import { Box, Button, Link, Typography } from '@mui/material'
import { type ArtifactDetail, modelDetail, models, promoteArtifact } from '@shapecast/contracts/ml'
import { useQueryClient } from '@tanstack/react-query'
import { Link as RouterLink } from 'react-router'
import { errorText } from '../../../shared/api/error-text.ts'
import { endpointKey, useEndpointMutation } from '../../../shared/api/use-endpoint.ts'
import { formatInterval, formatShareRatio } from '../../../shared/format/percent.ts'
import { formatAgo, formatExactTime } from '../../../shared/format/time.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { Card } from '../../../shared/ui/card.tsx'
import { Chip } from '../../../shared/ui/chip.tsx'
import { sentence } from '../sentence.ts'
import { modelPage } from '../view.ts'

/** Lets a manager make an artifact the one that predicts, whatever its comparison says. */
function PromoteButton({ artifact }: { artifact: ArtifactDetail }) {
  const queryClient = useQueryClient()
  const promote = useEndpointMutation(promoteArtifact, {
    onSettled: () =>
      Promise.all(
        [models, modelDetail].map((endpoint) => queryClient.invalidateQueries({ queryKey: endpointKey(endpoint) })),
      ),
  })
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'flex-end', gap: 0.5 }}>
      <Button
        size="small"
        disabled={promote.isPending}
        aria-label={`Promote the artifact of ${formatExactTime(artifact.createdAt)}`}
        onClick={() => promote.mutate({ params: { id: artifact.id }, body: {} })}
      >
        {promote.isPending ? 'Promoting…' : 'Promote'}
      </Button>
      {promote.isError && (
        <Typography variant="label" role="alert" sx={{ color: colors.down }}>
          {errorText(promote.error, 'It could not be promoted.')}
        </Typography>
      )}
    </Box>
  )
}

/** The trainings of a version on one series, the newest first: which one predicts, and why. */
export function ArtifactList({
  version,
  artifacts,
  shownId,
  isManager,
  nowMs,
}: {
  version: string
  artifacts: readonly ArtifactDetail[]
  shownId: string
  isManager: boolean
  nowMs: number
}) {
  return (
    <Card title="Artifacts" facts="a retrained one takes over where it is no worse on the same hold-out" flush>
      <Box component="ul" aria-label="Artifacts" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {artifacts.map((artifact) => (
          <Box component="li" key={artifact.id} aria-current={artifact.id === shownId} sx={rowStyle}>
            <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
              <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5 }}>
                <Link
                  component={RouterLink}
                  to={modelPage(version, artifact.id)}
                  title={formatExactTime(artifact.createdAt)}
                  sx={{ fontWeight: 500, color: colors.text }}
                >
                  {artifact.origin === 'uploaded' ? 'Uploaded' : 'Trained'} {formatAgo(artifact.createdAt, nowMs)}
                </Link>
                {artifact.active && <Chip label="predicts" tone="accent" />}
                {artifact.origin === 'uploaded' && <Chip label="uploaded" tone="outline" />}
                {artifact.id === shownId && <Chip label="shown" tone="outline" />}
              </Box>
              <Typography component="div" variant="small" sx={{ mt: 0.5, color: colors.text2 }}>
                {formatShareRatio(artifact.accuracy.accuracy)} · {formatInterval(artifact.accuracy.interval)} ·{' '}
                {artifact.seed !== null && `seed ${artifact.seed} · `}
                {artifact.hash.slice(0, 12)}
              </Typography>
              <Typography component="div" variant="small" sx={{ mt: 0.25, color: colors.text3 }}>
                {artifact.comparison === null ? 'The first of its series.' : sentence(artifact.comparison.verdict)}
              </Typography>
            </Box>
            {isManager && !artifact.active && <PromoteButton artifact={artifact} />}
          </Box>
        ))}
      </Box>
    </Card>
  )
}

const rowStyle = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1.5,
  px: 2,
  py: 1.25,
  borderTop: `1px solid ${colors.divider}`,
  '&:first-of-type': { borderTop: 0 },
} as const
