import { ApiError } from '@shapecast/contracts/client'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '#kit/ui/banner.tsx'
import { RetryButton } from '#kit/ui/button.tsx'
import { ListSkeleton, SkeletonGroup } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { useLastError } from '../calls/use-endpoint.ts'

/** What a server knows nothing of, it will not know of when it is asked again. */
const isFinal = (error: unknown): boolean => error instanceof ApiError && error.status === 404

type Told =
  /** What it is, as in 'the users': said while it is on its way, and where it could not be loaded. Its boxes are `px` high. */
  | { of: string; px?: number; rows?: number; title?: never; children?: never }
  /** What could not be loaded, in words of its own; and its boxes while it is on its way for the first time. */
  | { title: string; children?: ReactNode; of?: never; px?: never; rows?: never }

export type QueryBoundaryProps = Told & {
  reply: Pick<UseQueryResult, 'status' | 'error' | 'data' | 'isLoading' | 'isFetching' | 'refetch'>
  /** In a card whose body reaches the edges. */
  inset?: boolean
}

/**
 * In the place of what is not there yet: its skeleton, or once a read has failed, until one succeeds, why in the server's
 * words and a way to try again where that may help. Nothing while there is something to show.
 */
export function QueryBoundary({ reply, inset = false, title, children, of = '', px, rows }: QueryBoundaryProps) {
  const error = useLastError(reply)
  if (reply.data !== undefined || (error === null && !reply.isLoading)) return null
  if (error !== null)
    return (
      <div className={inset ? layout.inset : undefined}>
        <Banner
          kind="error"
          title={title ?? `${of.charAt(0).toUpperCase()}${of.slice(1)} could not be loaded`}
          action={isFinal(error) ? undefined : <RetryButton reply={reply} />}
        >
          {error instanceof ApiError ? error.message : undefined}
        </Banner>
      </div>
    )
  if (px === undefined) return children
  const label = `Loading ${of}`
  return rows === undefined ? (
    <SkeletonGroup label={label} height={px} />
  ) : (
    <ListSkeleton label={label} rowHeightPx={px} rows={rows} />
  )
}
