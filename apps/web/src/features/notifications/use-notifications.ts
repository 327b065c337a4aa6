import { type NotificationKind, notifications, readNotifications } from '@shapecast/contracts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { endpointKey, READ_LATER, REFRESH_MS, useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { liveEvents } from '#wire/live/browser-live-events.ts'

interface NotificationFilter {
  readonly kind?: NotificationKind
  readonly unread?: 'true'
}

/** What may be looked at by itself. */
export const VIEWS = {
  all: {},
  unread: { unread: 'true' },
  fill: { kind: 'fill' },
  model: { kind: 'model' },
} as const satisfies Record<string, NotificationFilter>
export type NotificationView = keyof typeof VIEWS

/** The newest `limit` notifications of a filter, kept fresh by the stream and by asking again. */
export function useNotifications(limit: number, filter: NotificationFilter = {}) {
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
    { query: { ...filter, limit } },
    { ...READ_LATER, refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
}

export const useReadNotifications = () => useEndpointMutation(readNotifications)
