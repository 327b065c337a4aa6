import { Box } from '@mui/material'
import { ApiError } from '@shapecast/contracts/client'
import { Banner } from './banner.tsx'
import { RetryButton } from './retry-button.tsx'

/** What a server knows nothing of, it will not know of when it is asked again. */
const isFinal = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export interface FailureNoteProps {
  reply: { isError: boolean; data: unknown; error: unknown; isFetching: boolean; refetch: () => Promise<unknown> }
  title: string
  /** In a card whose body reaches the edges. */
  inset?: boolean
}

/**
 * In the place of what could not be loaded: what it is, why in the server's words, and a way to try again where that may
 * help. Nothing while there is something to show.
 */
export function FailureNote({ reply, title, inset = false }: FailureNoteProps) {
  // A query draws its page anew for what was read of it: nothing else is read while nothing has failed.
  if (!reply.isError || reply.data !== undefined) return null
  const { error } = reply
  return (
    <Box sx={inset ? { p: 2 } : undefined}>
      <Banner kind="error" title={title} action={isFinal(error) ? undefined : <RetryButton reply={reply} />}>
        {error instanceof ApiError ? error.message : undefined}
      </Banner>
    </Box>
  )
}
