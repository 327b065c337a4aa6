import type { CallInput } from '@shapecast/contracts/client'
import type { AnyEndpoint, ReplyOf } from '@shapecast/contracts/endpoint'
import {
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from './client.ts'
import { useSlicedQuery } from './use-sliced-query.ts'

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

/** Reads an endpoint through the cache. The reply is parsed by the contract's schema; errors are ApiErrors. */
export function useEndpointQuery<E extends AnyEndpoint, Selected = ReplyOf<E>>(
  endpoint: E,
  input: QueryInput<E>,
  choices?: QueryChoices<E, Selected>,
): UseQueryResult<Selected, Error> {
  return useSlicedQuery<ReplyOf<E>, Error, Selected>({ ...endpointQuery(endpoint, input), ...choices })
}

/** Calls an endpoint that changes something. `mutate` takes the call's params, query, body or form. */
export function useEndpointMutation<E extends AnyEndpoint>(
  endpoint: E,
  choices?: Omit<UseMutationOptions<ReplyOf<E>, Error, CallInput<E>>, 'mutationFn'>,
): UseMutationResult<ReplyOf<E>, Error, CallInput<E>> {
  return useMutation({ ...choices, mutationFn: (input: CallInput<E>) => call(endpoint, input) })
}

/** As `useEndpointMutation`; after a success what `touched` endpoints have answered is read again. */
export function useEndpointChange<E extends AnyEndpoint>(
  endpoint: E,
  touched: readonly AnyEndpoint[],
): UseMutationResult<ReplyOf<E>, Error, CallInput<E>> {
  const queryClient = useQueryClient()
  return useEndpointMutation(endpoint, {
    onSuccess: () => Promise.all(touched.map((one) => queryClient.invalidateQueries({ queryKey: endpointKey(one) }))),
  })
}

/**
 * For `onSettled`: reads again what a change has touched. The change is under way until that is done; a failure is told at
 * once, because a server that does not answer would hold it up.
 */
export const readAgainAfter = (read: () => Promise<unknown>) => (_reply: unknown, error: Error | null) => {
  const isRead = read()
  return error === null ? isRead : undefined
}
