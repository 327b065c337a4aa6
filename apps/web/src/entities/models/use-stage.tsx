import { type Model, type ModelStage, setModelStage } from '@shapecast/contracts/ml'
import { useState } from 'react'
import { Banner } from '#kit/ui/banner.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

/** Moves a version to another stage. */
export const useStage = () => useEndpointMutation(setModelStage)

const STAYS: Readonly<Record<ModelStage, string>> = {
  production: 'in production',
  staging: 'in staging',
  archived: 'archived',
}

interface Failure {
  readonly model: Pick<Model, 'version' | 'stage'>
  readonly error: unknown
}

/** The last move between stages that was refused: to be shown where the page has room for it. */
export function useStageFailure() {
  const [failure, setFailure] = useState<Failure | null>(null)
  return {
    failure,
    /** `null` where the move went through. */
    report: (model: Failure['model'], error: unknown) => setFailure(error === null ? null : { model, error }),
    dismiss: () => setFailure(null),
  }
}

/** Why a version was not moved, in the server's words. Nothing where all went well. */
export function StageFailure({ failure, dismiss }: Pick<ReturnType<typeof useStageFailure>, 'failure' | 'dismiss'>) {
  if (failure === null) return null
  return (
    <Banner kind="error" title={`${failure.model.version} stays ${STAYS[failure.model.stage]}`} onDismiss={dismiss}>
      {errorText(failure.error, 'The stage could not be changed. Try again in a moment.')}
    </Banner>
  )
}
