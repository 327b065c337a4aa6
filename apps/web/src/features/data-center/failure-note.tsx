import { Button } from '@mui/material'
import { errorDetail, errorText } from '../../shared/api/error-text.ts'
import { Banner } from '../../shared/ui/banner.tsx'

/** A region that could not be loaded: the server's words, else `fallback`, and a way to try again. */
export function FailureNote({
  error,
  fallback,
  isRetrying,
  onRetry,
}: {
  error: unknown
  fallback: string
  isRetrying: boolean
  onRetry: () => void
}) {
  return (
    <Banner
      kind="error"
      title={errorText(error, fallback)}
      action={
        <Button size="small" disabled={isRetrying} onClick={onRetry}>
          {isRetrying ? 'Loading…' : 'Try again'}
        </Button>
      }
    >
      {errorDetail(error)}
    </Banner>
  )
}
