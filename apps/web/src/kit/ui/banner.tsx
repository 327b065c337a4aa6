import { Box, IconButton, Typography } from '@mui/material'
import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { colors, radius, tint } from '../theme/tokens.ts'

const KINDS = {
  error: { color: colors.down, icon: <CircleAlert size={18} />, role: 'alert' },
  warning: { color: colors.warn, icon: <TriangleAlert size={18} />, role: 'status' },
  info: { color: colors.accent, icon: <Info size={18} />, role: 'status' },
} as const

export interface BannerProps {
  kind: keyof typeof KINDS
  /** What happened, in a sentence or less. */
  title: ReactNode
  /** Why, and what to do next. */
  children?: ReactNode
  /** Red banners can be dismissed. */
  onDismiss?: () => void
  action?: ReactNode
}

/** A message across the page: red for what failed, amber for what stays true, blue for information. */
export function Banner({ kind, title, children, onDismiss, action }: BannerProps) {
  const { color, icon, role } = KINDS[kind]
  return (
    <Box
      role={role}
      sx={{
        display: 'flex',
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        gap: 1.5,
        py: '11px',
        pl: 2,
        pr: 1.5,
        borderRadius: `${radius.card}px`,
        border: `1px solid ${tint(color, 0.3)}`,
        backgroundColor: tint(color, 0.08),
      }}
    >
      <Box sx={{ color, display: 'flex', pt: '1px', flexShrink: 0 }}>{icon}</Box>
      <Box sx={{ flex: '1 1 0', minWidth: 0 }}>
        <Typography component="div" sx={{ fontWeight: 500 }}>
          {title}
        </Typography>
        {children !== undefined && (
          <Typography component="div" variant="small" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
            {children}
          </Typography>
        )}
      </Box>
      {action !== undefined && (
        // Below sm it stands under the words, in line with them.
        <Box
          sx={{
            alignSelf: 'center',
            flexShrink: 0,
            order: { xs: 1, sm: 0 },
            pl: { xs: '30px', sm: 0 },
            width: { xs: '100%', sm: 'auto' },
          }}
        >
          {action}
        </Box>
      )}
      {onDismiss !== undefined && (
        <IconButton size="small" aria-label="Dismiss" onClick={onDismiss} sx={{ mt: '-3px' }}>
          <X />
        </IconButton>
      )}
    </Box>
  )
}
