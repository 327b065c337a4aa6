import { bots } from '@shapecast/contracts/bots'
import type { QueryClient } from '@tanstack/react-query'

/**
 * Reads again what is shown of bots: the list, how many trade real money, and their figures; of some bots alone where
 * `ids` name them.
 */
export const readBotsAgain = (queryClient: QueryClient, ids?: ReadonlySet<string>): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [service, , path, input] }) => {
      const about = (input as { params?: { id?: string } } | undefined)?.params?.id
      const isWanted = ids === undefined || about === undefined || ids.has(about)
      return service === bots.service && String(path).startsWith(bots.path) && isWanted
    },
  })
