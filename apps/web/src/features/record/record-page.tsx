import type { ReplyOf } from '@shapecast/contracts/endpoint'
import type { Health } from '@shapecast/contracts/market'
import { ModelVersion, models } from '@shapecast/contracts/ml'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { leaderboard, trackRecord } from '@shapecast/contracts/track-record'
import { Link as RouterLink, useNavigate, useSearchParams } from 'react-router'
import { StageChip } from '#entities/markets/trading-chips.tsx'
import { inModelOrder } from '#entities/models/model-order.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { LinkButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine, SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { PageHead } from '#kit/ui/page-head.tsx'
import { Link, Note } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { paths } from '#routes/paths.ts'
import { REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealthAndClock } from '#wire/calls/use-health.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { DriftCard } from './drift-card.tsx'
import { ACCURACY, JUDGED, recordVerdict, VerdictChip } from './record-verdict.tsx'
import { RecordView } from './record-view.tsx'

const ROWS_SHOWN = 20

/** What was predicted before it could be known, and the result: a version's record and the leaderboard. */
export function RecordPage() {
  const [search] = useSearchParams()
  const version = ModelVersion.safeParse(search.get('version')).data ?? null
  const navigate = useNavigate()
  const list = useEndpointQuery(models, {})
  const order = inModelOrder(list.data?.models ?? [])
  const shown = version ?? list.data?.current ?? order[0]?.version ?? null
  const reply = useEndpointQuery(
    trackRecord,
    { params: { version: shown ?? '' }, query: { limit: ROWS_SHOWN } },
    { enabled: shown !== null, refetchInterval: REFRESH_MS },
  )
  const timeframes = order.find((model) => model.version === shown)?.artifacts.map(({ timeframe }) => timeframe) ?? []
  const nextSeal = nextSealWords(useHealthAndClock().data, timeframes)
  return (
    <div className={layout.pageColumn}>
      <title>Track record · Data Center · Shapecast</title>
      <PageHead
        title="Track record"
        actions={
          shown !== null && (
            <LinkButton variant="text" to={paths.model(shown)}>
              Model page
            </LinkButton>
          )
        }
      />
      {shown !== null && (
        <div className={layout.oneField}>
          <SelectField
            label="Version"
            value={shown}
            options={order.map(({ version: value, stage }) => ({ value, label: value, note: stage }))}
            placeholder={shown}
            onChange={(next) => void navigate(paths.record(next), { replace: true })}
          />
        </div>
      )}
      <QueryBoundary reply={reply} title="The track record could not be loaded">
        <SkeletonGroup label="Loading the record">
          <div className={layout.pageColumn}>
            <SkeletonBox height={150} />
            <SkeletonBox height={280} />
          </div>
        </SkeletonGroup>
      </QueryBoundary>
      {reply.data !== undefined && (
        <RecordView
          record={reply.data}
          nextSeal={nextSeal}
          leaderboard={<LeaderboardCard />}
          drift={<DriftCard version={reply.data.version} />}
        />
      )}
      {shown === null && <LeaderboardCard />}
    </div>
  )
}

/**
 * When the next prediction is sealed, in a sentence. `timeframes` are those that the version predicts; the first of
 * their candles to close counts.
 */
export function nextSealWords(
  market: Pick<Health, 'market' | 'marketTime' | 'marketSpeed'> | undefined,
  timeframes: readonly Timeframe[],
): string {
  const now = market?.marketTime ?? null
  if (now !== null && market?.marketSpeed === 0)
    return `The replay stands at ${formatDateTimeYear(now)}, so no candle closes. Start Shapecast with REPLAY_SPEED=3600 and an hour passes each second.`
  if (now === null || timeframes.length === 0) return 'One is at every candle close.'
  const closes = timeframes.map((timeframe) => Math.floor(now / TIMEFRAME_MS[timeframe] + 1) * TIMEFRAME_MS[timeframe])
  return `The next one is at the candle close of ${formatDateTimeYear(Math.min(...closes))}.`
}

type Entry = ReplyOf<typeof leaderboard>['entries'][number]

const COLUMNS: readonly Column<Entry & { place: number }>[] = [
  { head: '#', cell: (row) => row.place, quiet: true },
  {
    head: 'Version',
    cell: (row) => (
      <span className={layout.longName}>
        <Link as={RouterLink} to={paths.record(row.version)} className={layout.touchAlone} style={{ fontWeight: 500 }}>
          {row.version}
        </Link>
      </span>
    ),
    keep: true,
  },
  { head: 'Stage', cell: (row) => <StageChip stage={row.stage} /> },
  ACCURACY,
  {
    head: 'Best simple rule',
    cell: ({ scores: { majorityBaseline, reversalBaseline } }) =>
      formatShareRatio(
        majorityBaseline === null || reversalBaseline === null ? null : Math.max(majorityBaseline, reversalBaseline),
      ),
    figure: true,
  },
  { head: 'Verdict', cell: ({ scores }) => <VerdictChip verdict={recordVerdict(scores)} /> },
  ...JUDGED,
]

/** Versions by live skill over knowing nothing; the lower end of the interval decides. */
function LeaderboardCard() {
  const reply = useEndpointQuery(leaderboard, {}, { refetchInterval: REFRESH_MS })
  const entries = reply.data?.entries.map((entry, i) => ({ ...entry, place: i + 1 })) ?? []
  return (
    <Card title="Leaderboard" facts="all versions, by what they said before it happened" flush>
      {entries.length > 0 && (
        <DataTable label="Leaderboard" columns={COLUMNS} rows={entries} rowKey={(row) => row.version} />
      )}
      {reply.data?.entries.length === 0 && (
        <EmptyLine>
          No forecast is written down yet. A version in production or staging leaves one at every candle close.
        </EmptyLine>
      )}
      <QueryBoundary reply={reply} of="the leaderboard" rows={3} px={20} inset />
      {entries.length > 0 && (
        <Note as="p" style={{ padding: '12px 16px' }}>
          The order goes by the cautious end of the skill: how much more the percentages of a version were worth than
          knowing nothing. An interval that reaches below 0 may be luck.
        </Note>
      )}
    </Card>
  )
}
