import { Box, Typography } from '@mui/material'
import { DRIFT_EVIDENCE, modelDrift, type SeriesDrift } from '@shapecast/contracts/drift'
import { useState } from 'react'
import { EvidencePlot, formatEvidence } from '#charts/plots/evidence-plot.tsx'
import { DriftChip } from '#entities/models/drift-chip.tsx'
import { CLAIMS, inUrgency, plainDrift, scoreWords } from '#entities/models/drift-words.ts'
import { ShiftList } from '#entities/models/shift-list.tsx'
import { formatCount } from '#kit/format/number.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { Folded } from '#kit/ui/folded.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { useRefreshMs } from '#wire/calls/refresh.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { Awaited } from '#wire/ui/awaited.tsx'

function Score({ drift }: { drift: SeriesDrift }) {
  const { test } = drift
  const score = test === null ? null : scoreWords(test)
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="h3" sx={partTitle}>
        Live score
      </Typography>
      {test === null || score === null ? (
        <Typography variant="small" sx={{ color: colors.text2 }}>
          No outcome is known yet. Predictions are sealed at every close and scored when their outcome is there.
        </Typography>
      ) : (
        <>
          <EvidencePlot
            label={`Evidence against ${drift.symbol} ${drift.timeframe} over time`}
            paths={[{ word: CLAIMS[test.against], points: test.path }]}
            line={{ word: `believed from ${DRIFT_EVIDENCE} on`, e: DRIFT_EVIDENCE }}
          />
          <Typography variant="label" component="p" sx={noteStyle}>
            {score} The line is how much a bet on “{CLAIMS[test.against]}” would have won, looked at after every
            outcome: {formatEvidence(test.e)} now, {formatEvidence(test.largestE)} at its largest. Without anything
            wrong it reaches {DRIFT_EVIDENCE} at any time with a probability of 5% at most.
          </Typography>
        </>
      )}
    </Box>
  )
}

function Features({ drift: { features, featuresNote } }: { drift: SeriesDrift }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="h3" sx={partTitle}>
        Inputs now against training
      </Typography>
      {features === null ? (
        <Typography variant="small" sx={{ color: colors.text2 }}>
          {featuresNote}
        </Typography>
      ) : (
        <>
          <Typography variant="small" component="p" sx={{ m: 0, mb: 1, color: colors.text2 }}>
            The newest {formatCount(features.candles)} candles ({formatDateRange(features.from, features.to)}) against{' '}
            {formatCount(features.trainedCandles)} of training (
            {formatDateRange(features.trainedFrom, features.trainedTo)}). The shade is what stretches of training as
            long show by chance.
          </Typography>
          <ShiftList drift={features} />
        </>
      )}
    </Box>
  )
}

function Loaded({ series, version }: { series: readonly SeriesDrift[]; version: string }) {
  const order = inUrgency(series)
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = order.find(({ artifactId }) => artifactId === chosen) ?? order[0]
  if (shown === undefined)
    return <EmptyLine>{version} is not trained on any series yet, so that there is nothing to compare.</EmptyLine>
  return (
    <>
      <Box sx={{ px: 2, pt: 2, pb: 2 }}>
        {order.length > 1 && (
          <Box sx={{ width: { xs: '100%', sm: 240 }, mb: 2 }}>
            <SelectField
              label="Series"
              value={shown.artifactId}
              options={order.map(({ artifactId, symbol, timeframe }) => ({
                value: artifactId,
                label: `${symbol} ${timeframe}`,
              }))}
              onChange={setChosen}
            />
          </Box>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: 1 }}>
          <DriftChip state={{ decision: shown.decision, featuresDrift: shown.features?.drifts ?? null }} />
          <Typography sx={{ maxWidth: 820 }}>{plainDrift(shown)}</Typography>
        </Box>
      </Box>
      <Folded title="How is this measured?" flush>
        <Typography variant="small" sx={{ color: colors.text2, maxWidth: 820 }}>
          {shown.verdict}
        </Typography>
        <Box sx={partsStyle}>
          <Score drift={shown} />
          <Features drift={shown} />
        </Box>
      </Folded>
    </>
  )
}

/** Whether a version still sees what it was trained on, and predicts as well as it did. */
export function DriftCard({ version }: { version: string }) {
  const reply = useEndpointQuery(modelDrift, { params: { version }, query: {} }, { refetchInterval: useRefreshMs() })
  return (
    <Card title="Drift" facts="has the market changed since it learnt?" flush>
      {reply.data !== undefined && <Loaded key={version} version={version} series={reply.data.series} />}
      <Awaited reply={reply} title="Drift could not be worked out" inset>
        <SkeletonGroup label="Loading drift">
          <Box sx={{ p: 2, display: 'grid', gap: 2 }}>
            <SkeletonBox height={20} />
            <Box sx={partsStyle}>
              <SkeletonBox height={260} />
              <SkeletonBox height={260} />
            </Box>
          </Box>
        </SkeletonGroup>
      </Awaited>
    </Card>
  )
}

const partTitle = { fontSize: '0.8125rem', lineHeight: '18px', fontWeight: 600, mb: 1 } as const
const noteStyle = { m: 0, mt: 1, color: colors.text3, fontWeight: 400, maxWidth: 620 } as const
const partsStyle = {
  display: 'grid',
  gap: 3,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
} as const
