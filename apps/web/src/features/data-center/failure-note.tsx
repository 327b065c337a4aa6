import { Button } from '@mui/material'
import { ApiError } from '@shapecast/contracts/client'
import { Banner } from '../../shared/ui/banner.tsx'
import { busyPress } from '../../shared/ui/busy-press.ts'

/** A region that could not be loaded: what it is, why in the server's words, and a way to try again. */
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
        <Button size="small" {...busyPress(isRetrying, onRetry)}>
          {isRetrying ? 'Loading…' : 'Try again'}
        </Button>
      }
    >
      {error instanceof ApiError ? error.message : undefined}
    </Banner>
  )
}
