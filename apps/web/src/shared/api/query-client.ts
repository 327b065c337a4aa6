import { ApiError } from '@shapecast/contracts/client'
import { QueryClient } from '@tanstack/react-query'

const RETRIES = 2

/** Worth another try: nobody answered, or the service was not ready. What it refused, it will refuse again. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 503)

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < RETRIES && isTransient(error),
        staleTime: 5_000,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  })
