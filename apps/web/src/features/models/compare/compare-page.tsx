import { ApiError } from '@shapecast/contracts/client'
import { ModelVersion, models } from '@shapecast/contracts/ml'
import { compareModels } from '@shapecast/contracts/model-comparison'
import { useNavigate, useSearchParams } from 'react-router'
import { inModelOrder } from '#entities/models/model-order.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Card, EmptyLine, SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { MultiSelectField } from '#kit/ui/large-fields.tsx'
import layout from '#kit/ui/layout.module.css'
import { PageHead } from '#kit/ui/page-head.tsx'
import { Column, Columns } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { comparedIn, MOST_COMPARED, paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { commonSeries, LEAST_COMPARED, nameOf } from './comparable.ts'
import { ComparisonView } from './comparison-view.tsx'

const FRESH_MS = 60_000

/** The server's reason where it will not compare these at all; null where trying again may help. */
const refusalOf = (error: unknown): string | null =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429 ? error.message : null

/** 2 to 5 versions on the same candles that none of them has learnt from; which, and on what, stands in the address. */
export function ComparePage() {
  const [search] = useSearchParams()
  const versions = comparedIn(search).filter((name) => ModelVersion.safeParse(name).success)
  const navigate = useNavigate()
  const isSignedIn = useUser() !== null
  const list = useEndpointQuery(models, {})
  const trained = inModelOrder(list.data?.models ?? []).filter((model) => model.artifacts.length > 0)
  const seriesList = commonSeries(trained, versions)
  const named = search.get('series')
  const series = seriesList.find((one) => nameOf(one) === named) ?? seriesList[0] ?? null
  const show = (next: readonly string[], on: string | null) => void navigate(paths.compare(next, on), { replace: true })
  const areEnough = versions.length >= LEAST_COMPARED
  const reply = useEndpointQuery(
    compareModels,
    { body: { versions: [...versions], symbol: series?.symbol ?? '', timeframe: series?.timeframe } },
    { enabled: isSignedIn && areEnough && series !== null, staleTime: FRESH_MS },
  )
  const refusal = reply.data === undefined ? refusalOf(reply.error) : null
  return (
    <div className={layout.pageColumn}>
      <title>Compare · Data Center · Shapecast</title>
      <PageHead title="Compare versions" />
      <Card title="Which versions">
        <Columns gap={1.5} align="start" at={{ md: 'minmax(0, 1fr) 240px' }}>
          <MultiSelectField
            label="Versions"
            labelNote={`${versions.length} of ${MOST_COMPARED}`}
            values={versions}
            onChange={(next) => show(next, named)}
            options={trained.map((model) => model.version)}
            most={MOST_COMPARED}
            placeholder="Add a version"
            emptyText="No trained version of that name"
            help={areEnough ? undefined : 'Choose at least 2 versions'}
          />
          <SelectField
            label="Series"
            value={series === null ? '' : nameOf(series)}
            options={seriesList.map((one) => ({ value: nameOf(one), label: nameOf(one) }))}
            placeholder={seriesList.length === 0 ? 'None in common' : 'Select'}
            onChange={(name) => show(versions, name)}
          />
        </Columns>
      </Card>
      <QueryBoundary reply={list} of="the models" />
      {list.data !== undefined && trained.length < LEAST_COMPARED && (
        <Card title="Nothing to compare" flush>
          <EmptyLine>A comparison needs two trained versions. Train another one in the Data Center.</EmptyLine>
        </Card>
      )}
      {list.data !== undefined && areEnough && series === null && (
        <Banner kind="info" title="These versions have no series in common">
          Train them on the same coin and timeframe, or choose others.
        </Banner>
      )}
      {!isSignedIn && <Banner kind="info" title="Sign in to compare versions" />}
      {reply.isLoading && (
        <Card
          title="Side by side"
          facts={`forecasting by ${versions.length} versions, candle by candle: a few seconds`}
        >
          <SkeletonGroup label="Comparing">
            <Column gap={1.5}>
              {versions.map((version) => (
                <SkeletonBox key={version} height={24} />
              ))}
              <SkeletonBox height={160} />
            </Column>
          </SkeletonGroup>
        </Card>
      )}
      {refusal === null ? (
        <QueryBoundary reply={reply} title="The versions could not be compared" />
      ) : (
        <Banner kind="info" title="These versions cannot be compared">
          {refusal}
        </Banner>
      )}
      {reply.data !== undefined && <ComparisonView comparison={reply.data} />}
    </div>
  )
}
