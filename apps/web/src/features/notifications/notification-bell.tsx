import { Badge, IconButton, useMediaQuery } from '@mui/material'
import { useTheme } from '@mui/material/styles'
import { Bell } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import layout from '#kit/ui/layout.module.css'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { PlainDialog, Popover } from '#kit/ui/overlays.tsx'
import { type NotificationView, useNotifications, VIEWS } from './use-notifications.ts'

const NotificationList = lazy(async () => ({ default: (await import('./notification-list.tsx')).NotificationList }))

const FIRST = 20
const MOST = 200

/** The bell with the number of unread; below it the list, which takes the whole screen below sm. */
export function NotificationBell() {
  const isNarrow = useMediaQuery(useTheme().breakpoints.down('sm'))
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
        <Badge badgeContent={unread} max={99} color="primary" slotProps={{ badge: { sx: badgeStyle } }}>
          <Bell size={18} />
        </Badge>
      </IconButton>
      {isNarrow ? (
        <PlainDialog fullScreen open={anchor !== null} onClose={close} aria-label="Notifications">
          {list}
        </PlainDialog>
      ) : (
        <Popover
          open={anchor !== null}
          anchorEl={anchor}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          transformOrigin={{ vertical: 'top', horizontal: 'right' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': 'Notifications', sx: { mt: 1.75, width: 392 } } }}
        >
          <div style={{ maxHeight: '72vh', display: 'flex', flexDirection: 'column' }}>{list}</div>
        </Popover>
      )}
    </>
  )
}

const badgeStyle = { top: 2, height: 16, minWidth: 16, px: 0.5, fontSize: '0.625rem' } as const
