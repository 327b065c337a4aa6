import { modelDetail } from '@shapecast/contracts/ml'
import { Card } from '#kit/ui/card.tsx'
import { EmptyState } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { lazily } from '#kit/ui/lazily.tsx'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { SkeletonBox } from '#kit/ui/skeleton.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { ArtifactView } from './artifact-view.tsx'
import { ModelHead } from './model-head.tsx'
import { ModelSkeleton } from './model-skeleton.tsx'
import { seriesOf, shownArtifact } from './shown-artifact.ts'

const SeriesChoice = lazily(async () => (await import('./series-choice.tsx')).SeriesChoice)

/** All that is known of a version. */
export function ModelPage({ version, artifactId }: { version: string; artifactId: string | null }) {
  const reply = useEndpointQuery(modelDetail, { params: { id: version } })
  const model = reply.data
  const shown = model === undefined ? undefined : shownArtifact(model.artifacts, artifactId)
  return (
    <div className={layout.pageColumn}>
      <title>{`${version} · Data Center · Shapecast`}</title>
      <ModelHead version={version} model={model} shown={shown} />
      <Awaited reply={reply} title="The model could not be loaded">
        <ModelSkeleton />
      </Awaited>
      {model !== undefined && shown !== undefined && (
        <>
          {(seriesOf(model.artifacts).length > 1 || !shown.active) && (
            <SeriesChoice
              version={version}
              artifacts={model.artifacts}
              shown={shown}
              waiting={<SkeletonBox height={58} />}
            />
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
