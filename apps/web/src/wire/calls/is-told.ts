import type { UseQueryResult } from '@tanstack/react-query'

/** Whether a read was answered, or has failed at least once: what waits for it to be drawn in its place waits no more. */
export const isTold = ({ isFetched, failureCount }: Pick<UseQueryResult, 'isFetched' | 'failureCount'>): boolean =>
  isFetched || failureCount > 0
