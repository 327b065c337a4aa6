import {
  type ArtifactDetail,
  artifactCard,
  type Model,
  ModelVersion,
  modelDetail,
  models,
} from '@shapecast/contracts/ml'
import { artifactOnnx } from '@shapecast/contracts/uploads'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ComponentProps, lazy, Suspense } from 'react'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { ModelChips } from '#entities/models/model-chips.tsx'
import { inModelOrder } from '#entities/models/model-order.ts'
import { StageButton } from '#entities/models/stage-button.tsx'
import { StageFailure, useStage, useStageFailure } from '#entities/models/use-stage.tsx'
import { Button, busyButton, LinkButton } from '#kit/ui/button.tsx'
import { Card, EmptyState, SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { PageHead } from '#kit/ui/page-head.tsx'
import { Note } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { file } from '#wire/calls/client.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { firstCompared } from '../compare/comparable.ts'
import { ArtifactContext, seriesOf, shownArtifact } from './artifact-list.tsx'
import { ArtifactView } from './artifact-view.tsx'

const SeriesChoice = lazy(async () => ({ default: (await import('./series-choice.tsx')).SeriesChoice }))

/** The page of the version in the address; what no model can be called leads back. */
export function ModelPage() {
  const { version } = useParams()
  const [search] = useSearchParams()
  if (!ModelVersion.safeParse(version).success || version === undefined)
    return <Navigate to={paths.dataCenter} replace />
  return <Version key={version} version={version} artifactId={search.get('artifact')} />
}

function Version({ version, artifactId }: { version: string; artifactId: string | null }) {
  const reply = useEndpointQuery(modelDetail, { params: { id: version } })
  const model = reply.data
  const shown = model === undefined ? undefined : shownArtifact(model.artifacts, artifactId)
  const user = useUser()
  const mayPromote = useIsManager() || (user !== null && model?.stage !== 'production' && model?.owner === user.id)
  return (
    <div className={layout.pageColumn}>
      <title>{`${version} · Data Center · Shapecast`}</title>
      <ModelHead version={version} model={model} shown={shown} />
      <QueryBoundary reply={reply} title="The model could not be loaded">
        <ModelSkeleton />
      </QueryBoundary>
      {model !== undefined && shown !== undefined && (
        <ArtifactContext value={{ version, artifact: shown, artifacts: model.artifacts, mayPromote }}>
          {(seriesOf(model.artifacts).length > 1 || !shown.active) && (
            <Suspense fallback={<SkeletonBox height={58} />}>
              <SeriesChoice />
            </Suspense>
          )}
          <ArtifactView />
        </ArtifactContext>
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

function ModelHead({
  version,
  model,
  shown,
}: {
  version: string
  model: Model | undefined
  shown: ArtifactDetail | undefined
}) {
  const list = useEndpointQuery(models, {})
  const isManager = useIsManager()
  const staging = useStageFailure()
  if (model === undefined) return <PageHead title={version} />
  const compared = firstCompared(inModelOrder(list.data?.models ?? []), version)
  return (
    <>
      <PageHead
        title={version}
        facts={<ModelChips model={model} isCurrent={list.data?.current === version} />}
        actions={
          <>
            {compared.length > 0 && (
              <LinkButton variant="text" to={paths.compare(compared)}>
                Compare
              </LinkButton>
            )}
            <LinkButton variant="text" to={paths.record(version)}>
              Track record
            </LinkButton>
            {isManager && <ArchiveButton model={model} onStaged={staging.report} />}
            {isManager && <StageButton model={model} variant="secondary" onStaged={staging.report} />}
            {shown !== undefined && <Downloads version={version} artifact={shown} />}
          </>
        }
      />
      <StageFailure failure={staging.failure} dismiss={staging.dismiss} />
    </>
  )
}

/** Puts a staging version aside, or takes an archived one back. A production version goes to staging first. */
function ArchiveButton({ model, onStaged }: Omit<ComponentProps<typeof StageButton>, 'variant'>) {
  const stage = useStage()
  if (model.stage === 'production') return null
  const target = model.stage === 'archived' ? 'staging' : 'archived'
  const move = () =>
    stage.mutate(
      { params: { id: model.version }, body: { stage: target } },
      { onSettled: (_, error) => onStaged(model, error) },
    )
  return (
    <Button variant="text" {...busyButton(stage.isPending, move)}>
      {target === 'archived' ? 'Archive' : 'Set Staging'}
    </Button>
  )
}

/** The model card, and the networks with it, a README and an example; of an upload its file and card as they came. */
function Downloads({ version, artifact: { id, symbol, timeframe } }: { version: string; artifact: ArtifactDetail }) {
  const name = `${version}-${symbol}-${timeframe}`
  return (
    <>
      <DownloadButton
        words={['Download card', 'Try the card again', 'The card could not be downloaded.']}
        save={async () => saveFile(await file(artifactCard, { params: { id } }), `card-${name}.json`)}
      />
      <DownloadButton
        words={['Download ONNX', 'Try ONNX again', 'The networks could not be downloaded.']}
        save={async () => saveFile(await file(artifactOnnx, { params: { id } }), `onnx-${name}.zip`)}
      />
    </>
  )
}

/** Fetches a file and saves it; says that it is under way, and why it failed. */
function DownloadButton({
  words: [label, again, failed],
  save,
}: {
  /** The last is said where the server gives no reason. */
  words: readonly [label: string, again: string, failed: string]
  save: () => Promise<void>
}) {
  const download = useMutation({ mutationFn: save })
  return (
    <div style={{ display: 'flex', flexDirection: 'column', gap: 4 }}>
      <Button startIcon={<Download />} {...busyButton(download.isPending, () => download.mutate())}>
        {download.isPending ? 'Preparing…' : download.isError ? again : label}
      </Button>
      {download.isError && (
        <Note as="span" role="alert" tone="down" style={{ maxWidth: 240 }}>
          {errorInFull(download.error, failed)}
        </Note>
      )}
    </div>
  )
}
