import { Badge, Box, Button, IconButton, Popover, Typography } from '@mui/material'
import {
  type Notification,
  type NotificationKind,
  notifications,
  readNotifications,
} from '@shapecast/contracts/notifications'
import { useQueryClient } from '@tanstack/react-query'
import {
  Bell as BellIcon,
  Bot,
  CircleX,
  Cpu,
  type LucideIcon,
  OctagonPause,
  ShieldCheck,
  SquareKanban,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { endpointKey, useEndpointMutation } from '../../shared/api/use-endpoint.ts'
import { useUser } from '../../shared/auth/auth-context.ts'
import { colors, tint } from '../../shared/theme/tokens.ts'
import { Ago } from '../../shared/ui/ago.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { FailureNote } from '../../shared/ui/failure-note.tsx'
import { useNotifications } from './use-notifications.ts'

const ICONS: Readonly<Record<NotificationKind, LucideIcon>> = {
  fill: Bot,
  halt: OctagonPause,
  error: CircleX,
  job: Cpu,
  model: Cpu,
  task: SquareKanban,
  security: ShieldCheck,
}

/** The bell with the unread, and under it what the user was told. */
export function Bell() {
  const queryClient = useQueryClient()
  const isSignedIn = useUser() !== null
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const reply = useNotifications()
  const read = useEndpointMutation(readNotifications, {
    onSettled: () => queryClient.invalidateQueries({ queryKey: endpointKey(notifications) }),
  })
  if (!isSignedIn) return null
  const unread = reply.data?.unread ?? 0
  const close = () => setAnchor(null)
  return (
    <>
      <IconButton
        aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ ml: 0.75 }}
      >
        <Badge badgeContent={unread} max={99} color="primary">
          <BellIcon size={18} />
        </Badge>
      </IconButton>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { sx: { width: 392, maxWidth: '100vw' }, role: 'dialog', 'aria-label': 'Notifications' } }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 2, py: 1.25 }}>
          <Typography variant="h2">Notifications</Typography>
          <Typography variant="small" sx={{ flex: 1, color: colors.text2 }}>
            {unread} unread
          </Typography>
          <Button variant="text" size="small" disabled={unread === 0} onClick={() => read.mutate({ body: {} })}>
            Mark all read
          </Button>
        </Box>
        <FailureNote reply={reply} title="The notifications could not be loaded" inset />
        {reply.data?.notifications.length === 0 && <EmptyLine>Nothing yet</EmptyLine>}
        {reply.data?.notifications.map((one) => (
          <Row
            key={one.id}
            told={one}
            onOpen={() => {
              close()
              if (!one.isRead) read.mutate({ body: { ids: [one.id] } })
            }}
          />
        ))}
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', p: 1, borderTop: 1, borderColor: 'divider' }}>
          <Button variant="text" size="small" component={Link} to="/settings/notifications" onClick={close}>
            What to tell me
          </Button>
        </Box>
      </Popover>
    </>
  )
}

function Row({ told, onOpen }: { told: Notification; onOpen: () => void }) {
  const Icon = ICONS[told.kind]
  return (
    <Box
      component={Link}
      to={told.link ?? '/settings/notifications'}
      onClick={onOpen}
      data-unread={!told.isRead}
      sx={rowStyle}
    >
      <Icon size={16} aria-hidden />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography component="div" sx={{ fontWeight: told.isRead ? 400 : 500, overflowWrap: 'anywhere' }}>
          {told.title} {!told.isRead && <Box component="span" aria-label="unread" role="img" sx={dotStyle} />}
        </Typography>
        <Typography variant="small" component="div" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
          {told.text}
        </Typography>
      </Box>
      <Typography variant="small" component="span" sx={{ color: colors.text3 }}>
        <Ago ms={told.createdAt} />
      </Typography>
    </Box>
  )
}

const rowStyle = {
  display: 'flex',
  gap: 1.25,
  px: 2,
  py: 1.25,
  borderTop: 1,
  borderColor: 'divider',
  color: colors.text,
  textDecoration: 'none',
  '&[data-unread="true"]': { backgroundColor: tint(colors.accent, 0.06) },
  '&:hover': { backgroundColor: colors.rowHover },
} as const
const dotStyle = {
  display: 'inline-block',
  width: 6,
  height: 6,
  ml: 0.5,
  borderRadius: '50%',
  backgroundColor: colors.accent,
  verticalAlign: 'middle',
} as const
