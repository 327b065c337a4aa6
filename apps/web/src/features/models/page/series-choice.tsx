import { Box, Typography } from '@mui/material'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { useNavigate } from 'react-router'
import { colors } from '#kit/theme/tokens.ts'
import { SelectField } from '#kit/ui/select-field.tsx'
import { paths } from '#routes/paths.ts'
import { seriesOf } from './shown-artifact.ts'

/** Which series of a version is shown, and whether the artifact that is shown predicts it. */
export function SeriesChoice({
  version,
  artifacts,
  shown,
}: {
  version: string
  artifacts: readonly ArtifactDetail[]
  shown: ArtifactDetail
}) {
  const navigate = useNavigate()
  const series = seriesOf(artifacts)
  const hasActive = artifacts.some(
    ({ active, symbol, timeframe }) => active && symbol === shown.symbol && timeframe === shown.timeframe,
  )
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 2 }}>
      {series.length > 1 && (
        <Box sx={{ width: { xs: '100%', sm: 240 } }}>
          <SelectField
            label="Series"
            value={`${shown.symbol} ${shown.timeframe}`}
            options={series.map(({ name }) => ({ value: name, label: name }))}
            onChange={(name) => {
              const chosen = series.find((one) => one.name === name)
              if (chosen !== undefined) void navigate(paths.model(version, chosen.artifactId))
            }}
          />
        </Box>
      )}
      {!shown.active && (
        <Typography variant="small" sx={{ color: colors.warn, pb: 1 }}>
          {hasActive
            ? 'This artifact does not predict. Its series has another one that does.'
            : `No artifact of ${version} predicts ${shown.symbol} ${shown.timeframe}. Train it again, or let a manager promote one.`}
        </Typography>
      )}
    </Box>
  )
}
