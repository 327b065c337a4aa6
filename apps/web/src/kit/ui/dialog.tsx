import { Box, IconButton, Dialog as MuiDialog, Typography, useMediaQuery } from '@mui/material'
import { useTheme } from '@mui/material/styles'
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { colors } from '../theme/tokens.ts'

export interface DialogProps {
  /** Opens at once where it is not said. */
  open?: boolean
  title: string
  /** What it is about, in a line under the title. */
  subtitle?: string
  onClose: () => void
  /** Buttons, right under a hairline; the primary one last. */
  actions: ReactNode
  /** 480 where it is not said. A wider one takes the whole screen below md. */
  widthPx?: number
  /** The content reaches the edges: it has sections of its own. */
  flush?: boolean
  children: ReactNode
}

/** Head and foot stay, the body scrolls; the whole screen where it is narrow. */
export function Dialog({
  open = true,
  title,
  subtitle,
  onClose,
  actions,
  widthPx = 480,
  flush = false,
  children,
}: DialogProps) {
  const titleId = useId()
  const isNarrow = useMediaQuery(useTheme().breakpoints.down(widthPx > 600 ? 'md' : 'sm'))
  return (
    <MuiDialog
      open={open}
      onClose={onClose}
      aria-labelledby={titleId}
      fullScreen={isNarrow}
      fullWidth
      maxWidth={false}
      slotProps={{ paper: { sx: { maxWidth: isNarrow ? 'none' : widthPx } } }}
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }}>
        <Box sx={{ display: 'flex', alignItems: 'flex-start', px: 2.5, pt: 2, pb: subtitle === undefined ? 1 : 2 }}>
          <Box sx={{ flex: 1, minWidth: 0, alignSelf: 'start' }}>
            <Typography variant="h3" component="h2" id={titleId}>
              {title}
            </Typography>
            {subtitle !== undefined && (
              <Typography variant="small" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
                {subtitle}
              </Typography>
            )}
          </Box>
          <IconButton size="small" edge="end" aria-label="Close" onClick={onClose}>
            <X />
          </IconButton>
        </Box>
        <Box
          sx={{
            overflowY: 'auto',
            flex: 1,
            ...(flush ? { borderTop: 1, borderColor: 'divider' } : { px: 2.5, pb: 2.5 }),
          }}
        >
          {children}
        </Box>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            justifyContent: 'flex-end',
            gap: 1,
            px: 2.5,
            py: 1.5,
            borderTop: `1px solid ${colors.buttonEdge}`,
          }}
        >
          {actions}
        </Box>
      </Box>
    </MuiDialog>
  )
}
