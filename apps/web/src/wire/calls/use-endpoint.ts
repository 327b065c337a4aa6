import type { CallInput } from '@shapecast/contracts/client'
import type { AnyEndpoint, ReplyOf } from '@shapecast/contracts/endpoint'
import type { JobStatus } from '@shapecast/contracts/job-status'
import {
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './client.ts'

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

/** How often models, bots and indicators are asked for again. */
export const REFRESH_MS = 30_000

type Job = { readonly status: JobStatus }

/** Whether a job waits or runs. */
export const isUnderWay = (job: Job | null | undefined): boolean =>
  job?.status === 'queued' || job?.status === 'running'

/** `{ refetchInterval: untilEnded() }` asks for a job again until it has ended. */
export const untilEnded =
  (everyMs = 1500) =>
  ({ state: { data } }: { state: { data?: Job | undefined } }): number | false =>
    data === undefined || isUnderWay(data) ? everyMs : false

type QueryInput<E extends AnyEndpoint> = Omit<CallInput<E>, 'signal' | 'form'>

/**
 * The key under which a reply is cached: service, path, and what was asked. Without an input it is the prefix of
 * every reply of that endpoint: `queryClient.invalidateQueries({ queryKey: endpointKey(bots) })`.
 */
export function endpointKey<E extends AnyEndpoint>(endpoint: E, input?: QueryInput<E>): QueryKey {
  const prefix = [endpoint.service, endpoint.method, endpoint.path] as const
  return input === undefined ? prefix : [...prefix, input]
}

/** Key and fetcher of a call, for `queryClient.fetchQuery` and `useQueries`. */
export const endpointQuery = <E extends AnyEndpoint>(endpoint: E, input: QueryInput<E>) => ({
  queryKey: endpointKey(endpoint, input),
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<ReplyOf<E>> =>
    call(endpoint, { ...input, signal } as CallInput<E>),
})

type QueryChoices<E extends AnyEndpoint, Selected> = Omit<
  UseQueryOptions<ReplyOf<E>, Error, Selected>,
  'queryKey' | 'queryFn'
>

/**
 * For a reply that is handed on to a part that is loaded when it is needed. A page is drawn again for what it has read of a
 * reply; that part may come after the reply, and would be left with what there was before it.
 */
export const READ_LATER = { notifyOnChangeProps: 'all' } as const

/** Reads an endpoint through the cache. The reply is parsed by the contract's schema; errors are ApiErrors. */
export function useEndpointQuery<E extends AnyEndpoint, Selected = ReplyOf<E>>(
  endpoint: E,
  input: QueryInput<E>,
  choices?: QueryChoices<E, Selected>,
): UseQueryResult<Selected, Error> {
  return useQuery<ReplyOf<E>, Error, Selected>({ ...endpointQuery(endpoint, input), ...choices })
}

/**
 * Calls an endpoint that changes something; what it touches is read again then. `mutate` takes the call's params, query,
 * body or form.
 */
export function useEndpointMutation<E extends AnyEndpoint>(
  endpoint: E,
  choices?: Omit<UseMutationOptions<ReplyOf<E>, Error, CallInput<E>>, 'mutationFn' | 'meta'>,
): UseMutationResult<ReplyOf<E>, Error, CallInput<E>> {
  return useMutation({
    ...choices,
    mutationFn: (input: CallInput<E>) => call(endpoint, input),
    meta: { changes: [endpoint] },
  })
}
