import type { Health } from '@shapecast/contracts/market'
import { ModelVersion, models } from '@shapecast/contracts/ml'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { trackRecord } from '@shapecast/contracts/track-record'
import { useNavigate, useSearchParams } from 'react-router'
import { inModelOrder } from '#entities/models/model-order.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { LinkButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { PageHead } from '#kit/ui/page-head.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { paths } from '#routes/paths.ts'
import { REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealthAndClock } from '#wire/calls/use-health.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { DriftCard } from './drift-card.tsx'
import { LeaderboardCard } from './leaderboard-card.tsx'
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
  const options = order.map((model) => ({ value: model.version, label: model.version, note: model.stage }))
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
            options={options}
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
  if (market?.marketTime === undefined || market.marketTime === null) return 'One is at every candle close.'
  const now = market.marketTime
  if (market.marketSpeed === 0)
    return `The replay stands at ${formatDateTimeYear(now)}, so no candle closes. Start Shapecast with REPLAY_SPEED=3600 and an hour passes each second.`
  if (timeframes.length === 0) return 'One is at every candle close.'
  const next = Math.min(...timeframes.map((timeframe) => nextClose(now, TIMEFRAME_MS[timeframe])))
  return `The next one is at the candle close of ${formatDateTimeYear(next)}.`
}

const nextClose = (nowMs: number, stepMs: number): number => (Math.floor(nowMs / stepMs) + 1) * stepMs
