import { ModelVersion, models } from '@shapecast/contracts/ml'
import { trackRecord } from '@shapecast/contracts/track-record'
import { useNavigate, useSearchParams } from 'react-router'
import { inModelOrder } from '#entities/models/model-order.ts'
import layout from '#kit/ui/layout.module.css'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { PageHead } from '#kit/ui/page-head.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { paths } from '#routes/paths.ts'
import { REFRESH_MS } from '#wire/calls/refresh.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealthAndClock } from '#wire/calls/use-health.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { DriftCard } from './drift-card.tsx'
import { LeaderboardCard } from './leaderboard-card.tsx'
import { nextSealWords } from './next-seal.ts'
import { RecordView } from './record-view.tsx'

const ROWS_SHOWN = 20

/** What was predicted before it could be known, and what came of it: a version's record and the leaderboard. */
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
      <Awaited reply={reply} title="The track record could not be loaded">
        <SkeletonGroup label="Loading the record">
          <div className={layout.pageColumn}>
            <SkeletonBox height={150} />
            <SkeletonBox height={280} />
          </div>
        </SkeletonGroup>
      </Awaited>
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
