import { type ArtifactDetail, type Model, models } from '@shapecast/contracts/ml'
import { ModelChips } from '#entities/models/model-chips.tsx'
import { inModelOrder } from '#entities/models/model-order.ts'
import { StageButton } from '#entities/models/stage-button.tsx'
import { StageFailure, useStageFailure } from '#entities/models/stage-failure.tsx'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { PageHead } from '#kit/ui/page-head.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useIsManager } from '#wire/session/auth-context.ts'
import { firstCompared } from '../compare/comparable.ts'
import { ArchiveButton } from './archive-button.tsx'
import { CardDownload } from './card-download.tsx'
import { OnnxDownload } from './onnx-download.tsx'

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
            {shown !== undefined && <CardDownload version={version} artifact={shown} />}
            {shown !== undefined && <OnnxDownload version={version} artifact={shown} />}
          </>
        }
      />
      <StageFailure failure={staging.failure} dismiss={staging.dismiss} />
    </>
  )
}
