import { ApiError } from '@shapecast/contracts/client'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '#kit/ui/banner.tsx'
import { RetryButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { useLastError } from '../calls/use-endpoint.ts'

/** What a server knows nothing of, it will not know of when it is asked again. */
const isFinal = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export interface QueryBoundaryProps {
  reply: Pick<UseQueryResult, 'status' | 'error' | 'data' | 'isLoading' | 'isFetching' | 'refetch'>
  /** What could not be loaded. */
  title: string
  /** In a card whose body reaches the edges. */
  inset?: boolean
  /** Its boxes while it is on its way for the first time. */
  children?: ReactNode
}

/**
 * In the place of what is not there yet: its skeleton, or once a read has failed, until one succeeds, why in the server's
 * words and a way to try again where that may help. Nothing while there is something to show.
 */
export function QueryBoundary({ reply, title, inset = false, children }: QueryBoundaryProps) {
  const error = useLastError(reply)
  if (reply.data !== undefined) return null
  if (error === null) return reply.isLoading ? children : null
  return (
    <div className={inset ? layout.inset : undefined}>
      <Banner kind="error" title={title} action={isFinal(error) ? undefined : <RetryButton reply={reply} />}>
        {error instanceof ApiError ? error.message : undefined}
      </Banner>
    </div>
  )
}
