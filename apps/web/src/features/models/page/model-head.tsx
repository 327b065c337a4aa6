import { type ArtifactDetail, type Model, models } from '@shapecast/contracts/ml'
import { useEndpointQuery } from '../../../shared/api/use-endpoint.ts'
import { useIsManager } from '../../../shared/auth/auth-context.ts'
import { PageHead } from '../../../shared/data-center/page-head.tsx'
import { linkTo } from '../../../shared/data-center/view.ts'
import { ModelChips } from '../../../shared/models/model-chips.tsx'
import { inModelOrder } from '../../../shared/models/model-order.ts'
import { StageButton } from '../../../shared/models/stage-button.tsx'
import { StageFailure, useStageFailure } from '../../../shared/models/stage-failure.tsx'
import { LinkButton } from '../../../shared/ui/link-button.tsx'
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
              <LinkButton variant="text" to={linkTo({ kind: 'compare', versions: compared })}>
                Compare
              </LinkButton>
            )}
            <LinkButton variant="text" to={linkTo({ kind: 'record', version })}>
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
