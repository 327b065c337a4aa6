import { Bell } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { PlainDialog, Popover } from '#kit/ui/overlays.tsx'
import { ListSkeleton } from '#kit/ui/skeleton.tsx'
import { useNarrowerThan } from '#kit/ui/use-is-narrow.ts'
import css from './notification-bell.module.css'
import { type NotificationView, useNotifications, VIEWS } from './use-notifications.ts'

const NotificationList = lazy(async () => ({ default: (await import('./notification-list.tsx')).NotificationList }))

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
  const list = (
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
  )
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
      {isNarrow ? (
        <PlainDialog
          fullScreen
          open={anchor !== null}
          onClose={close}
          slotProps={{ paper: { 'aria-label': 'Notifications' } }}
        >
          {list}
        </PlainDialog>
      ) : (
        <Popover
          open={anchor !== null}
          anchorEl={anchor}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          transformOrigin={{ vertical: 'top', horizontal: 'right' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': 'Notifications', style: { marginTop: 14, width: 392 } } }}
        >
          <div style={{ maxHeight: '72vh', display: 'flex', flexDirection: 'column' }}>{list}</div>
        </Popover>
      )}
    </>
  )
}
