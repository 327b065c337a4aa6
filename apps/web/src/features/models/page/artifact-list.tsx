import { Box, Link, Typography } from '@mui/material'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { Link as RouterLink } from 'react-router'
import { formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { sentence } from '#kit/format/sentence.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { listRow } from '#kit/ui/page-layout.ts'
import { paths } from '#routes/paths.ts'
import { PromoteArtifact } from './promote-artifact.tsx'

/** The trainings of a version on one series, the newest first: which one predicts, and why. */
export function ArtifactList({
  version,
  artifacts,
  shownId,
  mayPromote,
}: {
  version: string
  artifacts: readonly ArtifactDetail[]
  shownId: string
  mayPromote: boolean
}) {
  return (
    <Card
      title="Trainings"
      facts="a newer one takes over when it is better beyond chance on the same unseen candles"
      flush
    >
      <Box component="ul" aria-label="Trainings" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {artifacts.map((artifact) => (
          <Box component="li" key={artifact.id} aria-current={artifact.id === shownId} sx={rowStyle}>
            <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
              <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5 }}>
                <Link
                  component={RouterLink}
                  to={paths.model(version, artifact.id)}
                  sx={{ fontWeight: 500, color: colors.text }}
                >
                  {artifact.origin === 'uploaded' ? 'Uploaded' : 'Trained'} <Ago ms={artifact.createdAt} />
                </Link>
                {artifact.active && <Chip label="predicts" tone="accent" />}
                {artifact.origin === 'uploaded' && <Chip label="uploaded" tone="outline" />}
                {artifact.id === shownId && <Chip label="shown" tone="outline" />}
              </Box>
              <Typography component="div" variant="small" sx={{ mt: 0.5, color: colors.text2 }}>
                {formatShareRatio(artifact.accuracy.accuracy)} right · {formatInterval(artifact.accuracy.interval)} ·{' '}
                {artifact.seed !== null && `seed ${artifact.seed} · `}
                {artifact.hash.slice(0, 12)}
              </Typography>
              <Typography component="div" variant="small" sx={{ mt: 0.25, color: colors.text3 }}>
                {artifact.comparison === null
                  ? 'The first on this coin and timeframe.'
                  : sentence(artifact.comparison.verdict)}
              </Typography>
            </Box>
            {mayPromote && !artifact.active && <PromoteArtifact artifact={artifact} />}
          </Box>
        ))}
      </Box>
    </Card>
  )
}

const rowStyle = {
  ...listRow,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1.5,
} as const
