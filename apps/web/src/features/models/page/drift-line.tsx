import { Link } from '@mui/material'
import { modelDrift } from '@shapecast/contracts/drift'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { Link as RouterLink } from 'react-router'
import { DriftChip } from '#entities/models/drift-chip.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { SkeletonBox } from '#kit/ui/skeleton.tsx'
import { Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

/** What is known of drift on one series, in a sentence, with the way to the rest; nothing where that cannot be told. */
export function DriftLine({ version, symbol, timeframe }: { version: string; symbol: string; timeframe: Timeframe }) {
  const reply = useEndpointQuery(modelDrift, { params: { version }, query: { symbol, timeframe } })
  const drift = reply.data?.series[0]
  if (reply.isPending) return <SkeletonBox height={18} />
  if (drift === undefined) return null
  return (
    <Row gap={1} lineGap={0.5} align="baseline" wrap>
      <DriftChip state={{ decision: drift.decision, featuresDrift: drift.features?.drifts ?? null }} />
      <Text size="small" tone="text2">
        {drift.verdict}{' '}
        <Link component={RouterLink} to={paths.record(version)} underline="always" style={{ whiteSpace: 'nowrap' }}>
          Drift in full
        </Link>
      </Text>
    </Row>
  )
}
