import { ApiError } from '@shapecast/contracts/client'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { endpointKey } from './use-endpoint.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: { changes: readonly AnyEndpoint[] }
  }
}

const RETRIES = 2
const AGAIN_MS = 30_000

/** Worth another try: nobody answered, or the service was not ready. What it refused, it will refuse again. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 503)

/** Reads again what is shown of that which calls of `changes` touch. */
const readTouched = (client: QueryClient, changes: readonly AnyEndpoint[]): Promise<unknown> =>
  Promise.all(
    changes.flatMap(({ touches = [] }) =>
      touches === 'everything'
        ? client.invalidateQueries()
        : touches.map((read) => client.invalidateQueries({ queryKey: endpointKey(read) })),
    ),
  )

/** `warn` hears of every read that failed for good, as the place that asked may show nothing of it. */
export const createQueryClient = (warn: (text: string, error: unknown) => void): QueryClient => {
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      // A change is under way until what it touched is read again, whatever its outcome. A failure is told at once: a
      // server that does not answer would hold it up.
      onSettled: (_reply, error, _input, _context, { meta }) => {
        const isRead = readTouched(client, meta?.changes ?? [])
        return error === null ? isRead : undefined
      },
    }),
    queryCache: new QueryCache({
      onError: (error, { queryKey }) => {
        // A page that is left ends what it was reading.
        if (error.name !== 'AbortError') warn(`${queryKey.slice(0, 3).join(' ')} could not be read.`, error)
      },
    }),
    defaultOptions: {
      queries: {
        // The server may be on this machine: whether there is a network says nothing of it.
        networkMode: 'always',
        refetchOnReconnect: true,
        // What nobody answered is asked for by itself until somebody does.
        refetchInterval: ({ state }) => isTransient(state.error) && AGAIN_MS,
        retry: (failures, error) => failures < RETRIES && isTransient(error),
        staleTime: 5_000,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}
