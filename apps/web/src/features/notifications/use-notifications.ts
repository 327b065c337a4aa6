import { notifications, readNotifications } from '@shapecast/contracts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { REFRESH_MS } from '#wire/calls/refresh.ts'
import { endpointKey, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { liveEvents } from '#wire/live/browser-live-events.ts'

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
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
}

export const useReadNotifications = () => useEndpointMutation(readNotifications)
