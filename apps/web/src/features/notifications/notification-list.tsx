import { Box, Button, IconButton, Typography } from '@mui/material'
import type { ReplyOf } from '@shapecast/contracts/endpoint'
import type { notifications } from '@shapecast/contracts/notifications'
import type { UseQueryResult } from '@tanstack/react-query'
import { Settings, X } from 'lucide-react'
import { Link } from 'react-router'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { paths } from '#routes/paths.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { FailureBanner } from '#wire/ui/failed-change.tsx'
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
      <Box sx={{ ...barStyle, minHeight: 52, borderBottom: `1px solid ${colors.divider}` }}>
        <Typography variant="h2">Notifications</Typography>
        {unread > 0 && (
          <Typography variant="small" sx={{ color: colors.text3 }}>
            {unread} unread
          </Typography>
        )}
        <Box sx={{ ml: 'auto', display: 'flex', gap: 0.5 }}>
          {unread > 0 && (
            <Button variant="text" size="small" {...busyPress(read.isPending, () => read.mutate({ body: {} }))}>
              Mark all read
            </Button>
          )}
          <IconButton size="small" aria-label="Close" onClick={onClose} sx={{ display: { sm: 'none' } }}>
            <X />
          </IconButton>
        </Box>
      </Box>
      <Box sx={{ flex: 1, overflowY: 'auto' }}>
        {read.isError && (
          <Box sx={{ p: 2 }}>
            <FailureBanner error={read.error} text="They could not be marked as read." />
          </Box>
        )}
        <Awaited reply={reply} title="The notifications could not be loaded" inset>
          <ListSkeleton label="Loading the notifications" rowHeightPx={36} rows={4} />
        </Awaited>
        {reply.data?.notifications.length === 0 && (
          <EmptyLine>Nothing yet. Fills, halts and errors come here.</EmptyLine>
        )}
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
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
        </Box>
      </Box>
      <Box sx={{ ...barStyle, justifyContent: 'space-between', borderTop: `1px solid ${colors.divider}` }}>
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
      </Box>
    </>
  )
}

const barStyle = { display: 'flex', alignItems: 'center', gap: 1, px: 2, py: 1 } as const
