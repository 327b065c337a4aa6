import { Button } from '@mui/material'
import { ApiError } from '@shapecast/contracts/client'
import { Banner } from '../../shared/ui/banner.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'

/** What a server knows nothing of, it will not know of when it is asked again. */
const isFinal = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** A region that could not be loaded: what it is, why in the server's words, and a way to try again where that may help. */
export function FailureNote({
  error,
  title,
  isRetrying,
  onRetry,
}: {
  error: unknown
  title: string
  isRetrying: boolean
  onRetry: () => void
}) {
  return (
    <Banner
      kind="error"
      title={title}
      action={
        isFinal(error) ? undefined : (
          <Button size="small" {...busyPress(isRetrying, onRetry)}>
            {isRetrying ? 'Loading…' : 'Try again'}
          </Button>
        )
      }
    >
      {error instanceof ApiError ? error.message : undefined}
    </Banner>
  )
}
