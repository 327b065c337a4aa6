import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * The error of a read until it succeeds. The cache forgets the error of a read without data while it is tried again,
 * and what is shown of it would blink at every reload.
 */
export function useLastError({ status, error }: Pick<UseQueryResult, 'status' | 'error'>): Error | null {
  const [last, setLast] = useState<Error | null>(null)
  const now = status === 'pending' ? last : error
  if (now !== last) setLast(now)
  return now
}

/** Whether a read was answered, or has failed at least once: what waits for it to be drawn in its place waits no more. */
export const isSettled = ({ isFetched, failureCount }: Pick<UseQueryResult, 'isFetched' | 'failureCount'>): boolean =>
  isFetched || failureCount > 0
