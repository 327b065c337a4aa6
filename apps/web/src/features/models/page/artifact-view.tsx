import { modelDrift } from '@shapecast/contracts/drift'
import type { Evaluation } from '@shapecast/contracts/evaluation'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { networkLabel } from '@shapecast/contracts/networks'
import { Link as RouterLink } from 'react-router'
import { LearningCurvePlot } from '#charts/plots/learning-curve-plot.tsx'
import { pctWords, spanWords } from '#entities/models/interval-words.ts'
import { DriftChip } from '#entities/models/model-chips.tsx'
import { formatCounted, formatFixed, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatLimitPct } from '#kit/format/percent.ts'
import { Card, SkeletonBox } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { PageTabs } from '#kit/ui/page-head.tsx'
import { Columns, Gain, Link, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { ArtifactList, useArtifact } from './artifact-list.tsx'
import { DirectionCard, HowSure } from './direction-card.tsx'
import { FanCard } from './fan-card.tsx'
import { ImportanceCard } from './importance-card.tsx'
import { ProvenanceCard } from './provenance-card.tsx'
import { RetrainingCard } from './retraining-card.tsx'
import { UploadNote } from './upload-note.tsx'
import { VerdictCard } from './verdict-card.tsx'

/** What is known of an artifact: the verdict first, then the evidence by subject. */
export function ArtifactView() {
  const { artifact } = useArtifact()
  const isSignedIn = useUser() !== null
  const { upload, learningCurves } = artifact
  return (
    <>
      {upload !== null && <UploadNote upload={upload} />}
      <VerdictCard />
      <PageTabs
        label="Evidence"
        tabs={[
          { id: 'range', label: 'Range', content: <FanCard /> },
          { id: 'direction', label: 'Direction', content: <DirectionCard {...artifact} /> },
          { id: 'trading', label: 'Traded plainly', content: <TradingCard {...artifact} /> },
          {
            id: 'inputs',
            label: 'Inputs',
            content: (
              <>
                {artifact.active && <DriftLine />}
                <ImportanceCard key={artifact.id} artifactId={artifact.id} />
              </>
            ),
          },
          {
            id: 'provenance',
            label: 'Provenance',
            content: (
              <>
                <ArtifactList />
                {artifact.origin === 'trained' && isSignedIn && <RetrainingCard />}
                <ProvenanceCard artifact={artifact} />
                {learningCurves !== null && <LearningCard curves={learningCurves} />}
              </>
            ),
          },
        ]}
      />
    </>
  )
}

function DriftLine() {
  const { version, artifact } = useArtifact()
  const { symbol, timeframe } = artifact
  const reply = useEndpointQuery(modelDrift, { params: { version }, query: { symbol, timeframe } })
  const drift = reply.data?.series[0]
  if (reply.isPending) return <SkeletonBox height={18} />
  if (drift === undefined) return null
  return (
    <Row gap={1} lineGap={0.5} align="baseline" wrap>
      <DriftChip state={{ decision: drift.decision, featuresDrift: drift.features?.drifts ?? null }} />
      <Text size="small" tone="text2">
        {drift.verdict}{' '}
        <Link as={RouterLink} to={paths.record(version)} style={{ whiteSpace: 'nowrap' }}>
          Drift in full
        </Link>
      </Text>
    </Row>
  )
}

function LearningCard({ curves }: { curves: NonNullable<ArtifactDetail['learningCurves']> }) {
  const networks = Object.entries(curves)
    .map(([name, curve]) => ({ name: networkLabel(name), curve }))
    .filter(({ curve }) => curve.history.length > 0)
  if (networks.length === 0) return null
  return (
    <Card title="Learning curves" facts="how wrong it was, round by round of training; less is better">
      <Columns gap={2.5} at={{ sm: 2 }}>
        {networks.map(({ name, curve }) => (
          <div key={name} className={layout.shrinks}>
            <Text as="h3" size="label" tone="text2" style={{ marginBottom: 4 }}>
              {name}
            </Text>
            <LearningCurvePlot label={`Losses of the ${name} by epoch`} {...curve} />
          </div>
        ))}
      </Columns>
    </Card>
  )
}

type PnlRow = Evaluation['trading']['signal'] & { readonly name: string }

const COLUMNS: readonly Column<PnlRow>[] = [
  { head: 'Rule', cell: (row) => row.name, keep: true },
  { head: 'Gross', cell: (row) => formatChangePct(row.grossPct), figure: true },
  { head: 'Costs', cell: (row) => formatChangePct(-row.costsPct), figure: true },
  { head: 'Net', cell: ({ netPct }) => <Gain strong of={netPct} />, figure: true, keep: true },
  { head: 'Turnover', cell: (row) => formatFixed(row.turnover, 0), figure: true, quiet: true },
]

function TradingCard({ evaluation: { trading, uncertainty } }: { evaluation: Evaluation }) {
  const rows = [
    { name: 'Plain signal', ...trading.signal },
    { name: 'Buy and hold', ...trading.buyAndHold },
    { name: 'Flat', ...trading.flat },
  ]
  return (
    <Card
      title="Trading the plain signal"
      facts={`${formatCounted(trading.candles, 'candle')} · in and out costs ${formatLimitPct(trading.roundTripCostBps / 100)}`}
      flush
    >
      <DataTable label="Trading the plain signal" columns={COLUMNS} rows={rows} rowKey={(row) => row.name} />
      <Note as="p" style={{ padding: '4px 16px 14px' }}>
        Long after BUY, short after SELL, kept on HOLD, filled at closes. A backtest does this properly.
      </Note>
      {uncertainty !== undefined && (
        <div style={{ padding: '0 16px 14px' }}>
          <HowSure
            facts={[
              { label: 'Net', value: pctWords(trading.signal.netPct, uncertainty.tradedNetPct) },
              {
                label: 'Sharpe ratio of a year',
                value:
                  uncertainty.tradedSharpe === null
                    ? UNKNOWN
                    : `${formatFixed(uncertainty.tradedSharpe.value, 2)} (${spanWords(uncertainty.tradedSharpe.interval)})`,
              },
            ]}
          />
        </div>
      )}
    </Card>
  )
}
