import { useState } from 'react'
import { errorText } from '../../../shared/api/error-text.ts'
import { Banner } from '../../../shared/ui/banner.tsx'

interface Failure {
  readonly version: string
  readonly error: unknown
}

/** The last move between stages that was refused: to be shown where the page has room for it. */
export function useStageFailure() {
  const [failure, setFailure] = useState<Failure | null>(null)
  return {
    failure,
    /** `null` where the move went through. */
    report: (version: string, error: unknown) => setFailure(error === null ? null : { version, error }),
    dismiss: () => setFailure(null),
  }
}

/** Why a version was not moved, in the server's words. Nothing where all went well. */
export function StageFailure({ failure, dismiss }: Pick<ReturnType<typeof useStageFailure>, 'failure' | 'dismiss'>) {
  if (failure === null) return null
  return (
    <Banner kind="error" title={`${failure.version} stays in production`} onDismiss={dismiss}>
      {errorText(failure.error, 'The stage could not be changed. Try again in a moment.')}
    </Banner>
  )
}
