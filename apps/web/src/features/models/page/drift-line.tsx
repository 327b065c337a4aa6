import { Box, Link, Typography } from '@mui/material'
import { modelDrift } from '@shapecast/contracts/drift'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { Link as RouterLink } from 'react-router'
import { DriftChip } from '#entities/models/drift-chip.tsx'
import { colors } from '#kit/theme/tokens.ts'
import { SkeletonBox } from '#kit/ui/skeleton.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

/** What is known of drift on one series, in a sentence, with the way to the rest; nothing where that cannot be told. */
export function DriftLine({ version, symbol, timeframe }: { version: string; symbol: string; timeframe: Timeframe }) {
  const reply = useEndpointQuery(modelDrift, { params: { version }, query: { symbol, timeframe } })
  const drift = reply.data?.series[0]
  if (reply.isPending) return <SkeletonBox height={18} />
  if (drift === undefined) return null
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 1, rowGap: 0.5 }}>
      <DriftChip state={{ decision: drift.decision, featuresDrift: drift.features?.drifts ?? null }} />
      <Typography variant="small" sx={{ color: colors.text2 }}>
        {drift.verdict}{' '}
        <Link component={RouterLink} to={paths.record(version)} underline="always" sx={{ whiteSpace: 'nowrap' }}>
          Drift in full
        </Link>
      </Typography>
    </Box>
  )
}
