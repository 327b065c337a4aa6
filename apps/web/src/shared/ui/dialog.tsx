import { Box, IconButton, Dialog as MuiDialog, Typography, useMediaQuery } from '@mui/material'
import { useTheme } from '@mui/material/styles'
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { colors } from '../theme/tokens.ts'

export interface DialogProps {
  /** Opens at once where it is not said. */
  open?: boolean
  title: string
  onClose: () => void
  /** Buttons, right under a hairline; the primary one last. */
  actions: ReactNode
  children: ReactNode
}

/** 480 px wide, the whole screen below sm. */
export function Dialog({ open = true, title, onClose, actions, children }: DialogProps) {
  const titleId = useId()
  const isNarrow = useMediaQuery(useTheme().breakpoints.down('sm'))
  return (
    <MuiDialog
      open={open}
      onClose={onClose}
      aria-labelledby={titleId}
      fullScreen={isNarrow}
      fullWidth
      maxWidth={false}
      slotProps={{ paper: { sx: { maxWidth: isNarrow ? 'none' : 480 } } }}
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', px: 2.5, pt: 2, pb: 1 }}>
          <Typography variant="h3" component="h2" id={titleId} sx={{ flex: 1 }}>
            {title}
          </Typography>
          <IconButton size="small" edge="end" aria-label="Close" onClick={onClose}>
            <X />
          </IconButton>
        </Box>
        <Box sx={{ px: 2.5, pb: 2.5, overflowY: 'auto', flex: 1 }}>{children}</Box>
        <Box
          sx={{
            display: 'flex',
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
