import { type ArtifactDetail, artifactCard, type Model, models } from '@shapecast/contracts/ml'
import { artifactOnnx } from '@shapecast/contracts/uploads'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { ModelChips } from '#entities/models/model-chips.tsx'
import { inModelOrder } from '#entities/models/model-order.ts'
import { StageButton } from '#entities/models/stage-button.tsx'
import { StageFailure, useStage, useStageFailure } from '#entities/models/use-stage.tsx'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button, LinkButton } from '#kit/ui/button.tsx'
import { PageHead } from '#kit/ui/page-head.tsx'
import { Note } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { file } from '#wire/calls/client.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useIsManager } from '#wire/session/auth-context.ts'
import { firstCompared } from '../compare/comparable.ts'

/** A version's name, its chips, and what can be done with it; `model` is undefined until it is known. */
export function ModelHead({
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
function ArchiveButton({
  model,
  onStaged,
}: {
  model: Model
  /** Hears of the move: the error, or null. */
  onStaged: (model: Model, error: unknown) => void
}) {
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
        label="Download card"
        again="Try the card again"
        failed="The card could not be downloaded."
        save={async () => saveFile(await file(artifactCard, { params: { id } }), `card-${name}.json`)}
      />
      <DownloadButton
        label="Download ONNX"
        again="Try ONNX again"
        failed="The networks could not be downloaded."
        save={async () => saveFile(await file(artifactOnnx, { params: { id } }), `onnx-${name}.zip`)}
      />
    </>
  )
}

/** Fetches a file and saves it; says that it is under way, and why it failed. */
function DownloadButton({
  label,
  again,
  failed,
  save,
}: {
  label: string
  /** The label after a failure, and what failed where the server gives no reason. */
  again: string
  failed: string
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
