import { Bell } from 'lucide-react'
import { type CSSProperties, lazy, Suspense, useState } from 'react'
import { IconButton } from '#kit/ui/button.tsx'
import { ListSkeleton } from '#kit/ui/card.tsx'
import { Modal } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { useNarrowerThan } from '#kit/ui/use-is-narrow.ts'
import css from './notification-bell.module.css'
import { type NotificationView, useNotifications, VIEWS } from './use-notifications.ts'

const NotificationList = lazy(async () => ({ default: (await import('./notification-list.tsx')).NotificationList }))

/** Its right edge is that of the bell. */
function placeBelowBell(bell: HTMLElement): CSSProperties {
  const { right, bottom } = bell.getBoundingClientRect()
  return { inset: `${bottom + 14}px ${document.documentElement.clientWidth - right}px auto auto` }
}

const FIRST = 20
const MOST = 200

/** The bell with the number of unread; below it the list, which takes the whole screen below sm. */
export function NotificationBell() {
  const isNarrow = useNarrowerThan(600)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [limit, setLimit] = useState(FIRST)
  const [view, setView] = useState<NotificationView>('all')
  const reply = useNotifications(limit, VIEWS[view])
  const unread = reply.data?.unread ?? 0
  const close = () => {
    setAnchor(null)
    setLimit(FIRST)
    setView('all')
  }
  return (
    <>
      <IconButton
        aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        style={{ marginLeft: 6 }}
      >
        <Bell size={18} />
        {unread > 0 && <span className={css.unread}>{unread > 99 ? '99+' : unread}</span>}
      </IconButton>
      {anchor !== null && (
        <Modal
          aria-label="Notifications"
          fullScreen={isNarrow}
          onClose={close}
          className={isNarrow ? undefined : css.list}
          style={isNarrow ? undefined : placeBelowBell(anchor)}
        >
          <Suspense
            fallback={
              <div className={layout.inset}>
                <ListSkeleton label="Loading the notifications" rowHeightPx={36} rows={4} />
              </div>
            }
          >
            <NotificationList
              reply={reply}
              view={view}
              onView={setView}
              onClose={close}
              {...(reply.data?.hasMore && limit < MOST && { onMore: () => setLimit(MOST) })}
            />
          </Suspense>
        </Modal>
      )}
    </>
  )
}
