import { Button, IconButton } from '@mui/material'
import type { ReplyOf } from '@shapecast/contracts/endpoint'
import type { notifications } from '@shapecast/contracts/notifications'
import type { UseQueryResult } from '@tanstack/react-query'
import { Settings, X } from 'lucide-react'
import { Link } from 'react-router'
import { busyPress } from '#kit/ui/busy-press.ts'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
import css from './notification-list.module.css'
import { NotificationRow } from './notification-row.tsx'
import { useReadNotifications } from './use-notifications.ts'

export interface NotificationListProps {
  reply: UseQueryResult<ReplyOf<typeof notifications>, Error>
  onClose: () => void
  /** Brings the older ones; nothing where all are in sight. */
  onMore?: () => void
}

/** What the person was told, the newest first. Opening one marks it as read. */
export function NotificationList({ reply, onClose, onMore }: NotificationListProps) {
  const read = useReadNotifications()
  const unread = reply.data?.unread ?? 0
  return (
    <>
      <Row gap={1} className={css.head}>
        <Text size="h2">Notifications</Text>
        {unread > 0 && (
          <Text size="small" tone="text3">
            {unread} unread
          </Text>
        )}
        <Row gap={0.5} align="stretch" className={layout.end}>
          {unread > 0 && (
            <Button variant="text" size="small" {...busyPress(read.isPending, () => read.mutate({ body: {} }))}>
              Mark all read
            </Button>
          )}
          <IconButton size="small" aria-label="Close" onClick={onClose} className={css.close}>
            <X />
          </IconButton>
        </Row>
      </Row>
      <div style={{ flex: 1, overflowY: 'auto' }}>
        {read.isError && (
          <div className={layout.inset}>
            <FailureBanner error={read.error} text="They could not be marked as read." />
          </div>
        )}
        <Awaited reply={reply} title="The notifications could not be loaded" inset>
          <ListSkeleton label="Loading the notifications" rowHeightPx={36} rows={4} />
        </Awaited>
        {reply.data?.notifications.length === 0 && (
          <EmptyLine>Nothing yet. Fills, halts and errors come here.</EmptyLine>
        )}
        <ul className={layout.list}>
          {reply.data?.notifications.map((one) => (
            <NotificationRow
              key={one.id}
              notification={one}
              onOpen={() => {
                if (!one.isRead) read.mutate({ body: { ids: [one.id] } })
                if (one.link !== null) onClose()
              }}
            />
          ))}
        </ul>
      </div>
      <Row gap={1} between className={css.foot}>
        {onMore === undefined ? (
          <span />
        ) : (
          <Button variant="text" size="small" onClick={onMore}>
            Show all
          </Button>
        )}
        <Button
          variant="text"
          size="small"
          component={Link}
          to={paths.notifications}
          startIcon={<Settings />}
          onClick={onClose}
        >
          What to tell me
        </Button>
      </Row>
    </>
  )
}
