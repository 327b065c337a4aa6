import { notifications, readNotifications } from '@shapecast/contracts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { liveEvents } from '../../shared/api/browser-live-events.ts'
import { useFirstLoadOver } from '../../shared/api/first-load.ts'
import { useRefreshMs } from '../../shared/api/refresh.ts'
import { endpointKey, useEndpointChange, useEndpointQuery } from '../../shared/api/use-endpoint.ts'

/** The newest `limit` notifications, kept fresh by the stream and by asking again. */
export function useNotifications(limit: number) {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      liveEvents.listen({ kind: 'notifications' }, () => {
        void queryClient.invalidateQueries({ queryKey: endpointKey(notifications) })
      }),
    [queryClient],
  )
  return useEndpointQuery(
    notifications,
    { query: { limit } },
    { enabled: useFirstLoadOver(), refetchInterval: useRefreshMs(), placeholderData: (before) => before },
  )
}

export const useReadNotifications = () => useEndpointChange(readNotifications, [notifications])
