import { notifications } from '@shapecast/contracts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { liveEvents } from '../../shared/api/browser-live-events.ts'
import { useRefreshMs } from '../../shared/api/refresh.ts'
import { endpointKey, useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { useUser } from '../../shared/auth/auth-context.ts'

const SHOWN = 20

/** What the user was told last and how much is unread, kept up to date. */
export function useNotifications() {
  const queryClient = useQueryClient()
  const isSignedIn = useUser() !== null
  const refetchInterval = useRefreshMs()
  useEffect(() => {
    if (!isSignedIn) return
    return liveEvents.listen({ kind: 'notifications' }, () => {
      void queryClient.invalidateQueries({ queryKey: endpointKey(notifications) })
    })
  }, [isSignedIn, queryClient])
  return useEndpointQuery(notifications, { query: { limit: SHOWN } }, { enabled: isSignedIn, refetchInterval })
}
