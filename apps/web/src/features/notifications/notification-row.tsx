import { Box, Typography } from '@mui/material'
import type { Notification } from '@shapecast/contracts/notifications'
import { Link } from 'react-router'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { colors, TINT, tint } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { visuallyHidden } from '#kit/ui/visually-hidden.ts'
import { KINDS } from './notification-kinds.ts'

const ICON_COLORS: Partial<Record<Notification['kind'], string>> = { error: colors.down, halt: colors.warn }

/** One notification: a link where there is something to open, else a button that marks it as read. */
export function NotificationRow({ notification, onOpen }: { notification: Notification; onOpen: () => void }) {
  const { kind, title, text, link, createdAt, marketAt, isRead } = notification
  const { icon: Icon } = KINDS[kind]
  return (
    <Box component="li" sx={{ '& + &': { borderTop: `1px solid ${colors.divider}` } }}>
      <Box
        {...(link === null ? { component: 'button' as const, type: 'button' } : { component: Link, to: link })}
        onClick={onOpen}
        sx={{ ...rowStyle, ...(!isRead && { backgroundColor: tint(colors.accent, TINT.accent) }) }}
      >
        <Box sx={{ display: 'flex', pt: '2px', color: ICON_COLORS[kind] ?? colors.text2 }}>
          <Icon size={16} aria-hidden />
        </Box>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1 }}>
            <Typography component="span" sx={{ fontWeight: 500, minWidth: 0, overflowWrap: 'anywhere' }}>
              {title}
              {!isRead && (
                <Box component="span" sx={visuallyHidden}>
                  , unread
                </Box>
              )}
            </Typography>
            {!isRead && <Box component="span" aria-hidden sx={dotStyle} />}
            <Typography component="span" variant="small" sx={{ ml: 'auto', color: colors.text3, whiteSpace: 'nowrap' }}>
              {marketAt === null ? <Ago ms={createdAt} /> : formatDateTimeYear(marketAt)}
            </Typography>
          </Box>
          <Typography component="span" variant="small" sx={textStyle}>
            {text}
          </Typography>
        </Box>
      </Box>
    </Box>
  )
}

/** The beginning of a long comment: all of it stands where the row leads. */
const textStyle = {
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: '3',
  overflow: 'hidden',
  overflowWrap: 'anywhere',
  color: colors.text2,
} as const

const rowStyle = {
  display: 'flex',
  gap: 1.25,
  width: '100%',
  px: 2,
  py: 1.25,
  border: 0,
  background: 'none',
  font: 'inherit',
  textAlign: 'left',
  textDecoration: 'none',
  color: colors.text,
  cursor: 'pointer',
  '&:hover': { backgroundColor: colors.rowHover },
  '&:focus-visible': { outline: `2px solid ${colors.accentHi}`, outlineOffset: -2 },
} as const

const dotStyle = { width: 6, height: 6, borderRadius: '50%', flexShrink: 0, backgroundColor: colors.accent } as const
