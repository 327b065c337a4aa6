import { Box, Typography } from '@mui/material'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { networkLabel } from '@shapecast/contracts/networks'
import { LearningCurvePlot } from '#charts/plots/learning-curve-plot.tsx'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'

/** How the networks learnt: loss by epoch, and which epoch was kept. */
export function LearningCard({ curves }: { curves: NonNullable<ArtifactDetail['learningCurves']> }) {
  const networks = Object.entries(curves)
    .map(([name, curve]) => ({ name: networkLabel(name), curve }))
    .filter(({ curve }) => curve.history.length > 0)
  if (networks.length === 0) return null
  return (
    <Card title="Learning curves" facts="how wrong it was, round by round of training; less is better">
      <Box
        sx={{
          display: 'grid',
          gap: 2.5,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        {networks.map(({ name, curve }) => (
          <Box key={name} sx={{ minWidth: 0 }}>
            <Typography component="h3" variant="label" sx={{ m: 0, mb: 0.5, color: colors.text2 }}>
              {name}
            </Typography>
            <LearningCurvePlot label={`Losses of the ${name} by epoch`} {...curve} />
          </Box>
        ))}
      </Box>
    </Card>
  )
}
