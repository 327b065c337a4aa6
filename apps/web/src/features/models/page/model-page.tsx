import { ModelVersion, modelDetail } from '@shapecast/contracts/ml'
import { lazy, Suspense } from 'react'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { EmptyState } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { seriesOf, shownArtifact } from './artifact-list.tsx'
import { ArtifactView } from './artifact-view.tsx'
import { ModelHead } from './model-head.tsx'

const SeriesChoice = lazy(async () => ({ default: (await import('./series-choice.tsx')).SeriesChoice }))

/** The page of the version in the address; what no model can be called leads back. */
export function ModelPage() {
  const { version } = useParams()
  const [search] = useSearchParams()
  if (!ModelVersion.safeParse(version).success || version === undefined)
    return <Navigate to={paths.dataCenter} replace />
  return <Version key={version} version={version} artifactId={search.get('artifact')} />
}

/** All that is known of a version. */
function Version({ version, artifactId }: { version: string; artifactId: string | null }) {
  const reply = useEndpointQuery(modelDetail, { params: { id: version } })
  const model = reply.data
  const shown = model === undefined ? undefined : shownArtifact(model.artifacts, artifactId)
  return (
    <div className={layout.pageColumn}>
      <title>{`${version} · Data Center · Shapecast`}</title>
      <ModelHead version={version} model={model} shown={shown} />
      <QueryBoundary reply={reply} title="The model could not be loaded">
        <ModelSkeleton />
      </QueryBoundary>
      {model !== undefined && shown !== undefined && (
        <>
          {(seriesOf(model.artifacts).length > 1 || !shown.active) && (
            <Suspense fallback={<SkeletonBox height={58} />}>
              <SeriesChoice version={version} artifacts={model.artifacts} shown={shown} />
            </Suspense>
          )}
          <ArtifactView
            version={version}
            artifact={shown}
            artifacts={model.artifacts}
            ownerId={model.stage === 'production' ? null : model.owner}
          />
        </>
      )}
      {model !== undefined && shown === undefined && <Untrained version={version} />}
    </div>
  )
}

const Untrained = ({ version }: { version: string }) => (
  <Card title="Quality">
    <div style={{ marginInline: -16, marginBottom: -16 }}>
      <EmptyState
        title={`${version} is not trained yet`}
        action={
          <LinkButton variant="contained" to={paths.dataCenter}>
            Go to training
          </LinkButton>
        }
      >
        Choose coins and a range in the Data Center, name this version under Training options, and press Train latest.
      </EmptyState>
    </div>
  </Card>
)

/** The cards of a model page that is on its way. */
const ModelSkeleton = () => (
  <SkeletonGroup label="Loading the model">
    <div className={layout.pageColumn}>
      <SkeletonBox height={420} />
      <SkeletonBox height={420} />
      <div className={layout.twoCards}>
        <SkeletonBox height={280} />
        <SkeletonBox height={280} />
      </div>
    </div>
  </SkeletonGroup>
)
