import { DRIFT_EVIDENCE, modelDrift, type SeriesDrift } from '@shapecast/contracts/drift'
import { type ReactNode, useState } from 'react'
import { EvidencePlot, formatEvidence } from '#charts/plots/evidence-plot.tsx'
import { CLAIMS, inUrgency, plainDrift, scoreWords } from '#entities/models/drift-words.ts'
import { DriftChip } from '#entities/models/model-chips.tsx'
import { ShiftList } from '#entities/models/shift-list.tsx'
import { formatCount } from '#kit/format/number.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { Card, EmptyLine, SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { Folded } from '#kit/ui/folded.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Columns, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={layout.shrinks}>
    <Text size="h3" style={{ fontSize: '0.8125rem', lineHeight: '18px', marginBottom: 8 }}>
      {title}
    </Text>
    {children}
  </div>
)

function Score({ drift }: { drift: SeriesDrift }) {
  const { test } = drift
  return (
    <Part title="Live score">
      {test === null ? (
        <Text size="small" tone="text2">
          No outcome is known yet. Predictions are sealed at every close and scored when their outcome is there.
        </Text>
      ) : (
        <>
          <EvidencePlot
            label={`Evidence against ${drift.symbol} ${drift.timeframe} over time`}
            paths={[{ word: CLAIMS[test.against], points: test.path }]}
            line={{ word: `believed from ${DRIFT_EVIDENCE} on`, e: DRIFT_EVIDENCE }}
          />
          <Note as="p" above={1} style={{ maxWidth: 620 }}>
            {scoreWords(test)} The line is how much a bet on “{CLAIMS[test.against]}” would have won, looked at after
            every outcome: {formatEvidence(test.e)} now, {formatEvidence(test.largestE)} at its largest. Without
            anything wrong it reaches {DRIFT_EVIDENCE} at any time with a probability of 5% at most.
          </Note>
        </>
      )}
    </Part>
  )
}

function Features({ drift: { features, featuresNote } }: { drift: SeriesDrift }) {
  return (
    <Part title="Inputs now against training">
      {features === null ? (
        <Text size="small" tone="text2">
          {featuresNote}
        </Text>
      ) : (
        <>
          <Text size="small" tone="text2" style={{ marginBottom: 8 }}>
            The newest {formatCount(features.candles)} candles ({formatDateRange(features.from, features.to)}) against{' '}
            {formatCount(features.trainedCandles)} of training (
            {formatDateRange(features.trainedFrom, features.trainedTo)}). The shade is what stretches of training as
            long show by chance.
          </Text>
          <ShiftList drift={features} />
        </>
      )}
    </Part>
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
      <div className={layout.inset}>
        {order.length > 1 && (
          <div className={layout.oneField} style={{ marginBottom: 16 }}>
            <SelectField
              label="Series"
              value={shown.artifactId}
              options={order.map(({ artifactId, symbol, timeframe }) => ({
                value: artifactId,
                label: `${symbol} ${timeframe}`,
              }))}
              onChange={setChosen}
            />
          </div>
        )}
        <Row gap={1} align="baseline" wrap>
          <DriftChip state={{ decision: shown.decision, featuresDrift: shown.features?.drifts ?? null }} />
          <Text style={{ maxWidth: 820 }}>{plainDrift(shown)}</Text>
        </Row>
      </div>
      <Folded title="How is this measured?" flush>
        <Text size="small" tone="text2" style={{ maxWidth: 820 }}>
          {shown.verdict}
        </Text>
        <Columns gap={3} align="start" at={{ lg: 2 }}>
          <Score drift={shown} />
          <Features drift={shown} />
        </Columns>
      </Folded>
    </>
  )
}

/** Whether a version still sees what it was trained on, and predicts as well as it did. */
export function DriftCard({ version }: { version: string }) {
  const reply = useEndpointQuery(modelDrift, { params: { version }, query: {} }, { refetchInterval: REFRESH_MS })
  return (
    <Card title="Drift" facts="has the market changed since it learnt?" flush>
      {reply.data !== undefined && <Loaded key={version} version={version} series={reply.data.series} />}
      <QueryBoundary reply={reply} title="Drift could not be worked out" inset>
        <SkeletonGroup label="Loading drift">
          <Column gap={2} className={layout.inset}>
            <SkeletonBox height={20} />
            <Columns gap={3} align="start" at={{ lg: 2 }}>
              <SkeletonBox height={260} />
              <SkeletonBox height={260} />
            </Columns>
          </Column>
        </SkeletonGroup>
      </QueryBoundary>
    </Card>
  )
}
