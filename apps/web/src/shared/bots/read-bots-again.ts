import { bots } from '@shapecast/contracts/bots'
import type { QueryClient } from '@tanstack/react-query'

/**
 * Reads again what is shown of bots: the list, how many trade real money, and their figures; of one bot alone where
 * `id` names it.
 */
export const readBotsAgain = (queryClient: QueryClient, id?: string): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [service, , path, input] }) => {
      const about = (input as { params?: { id?: string } } | undefined)?.params?.id
      const isWanted = id === undefined || about === undefined || about === id
      return service === bots.service && String(path).startsWith(bots.path) && isWanted
    },
  })
