import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import { listRow } from './page-layout.ts'

export interface SettingRowProps {
  title: ReactNode
  children?: ReactNode
  /** Before the words. */
  icon?: ReactNode
  /** Buttons or a switch at the right. */
  action?: ReactNode
}

/** A row of a card that reaches its edges: what it is, a sentence, and what can be done. */
export const SettingRow = ({ title, children, icon, action }: SettingRowProps) => (
  <Box sx={{ ...listRow, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
    {icon !== undefined && <Box sx={{ display: 'flex', color: colors.text2 }}>{icon}</Box>}
    <Box sx={{ flex: 1, minWidth: 120 }}>
      <Typography component="div" sx={{ fontWeight: 500 }}>
        {title}
      </Typography>
      {children !== undefined && (
        <Typography component="div" variant="small" sx={{ color: colors.text2, overflowWrap: 'anywhere' }}>
          {children}
        </Typography>
      )}
    </Box>
    {action !== undefined && <Box sx={actionStyle}>{action}</Box>}
  </Box>
)

const actionStyle = {
  display: 'flex',
  alignItems: 'center',
  gap: 1,
  typography: 'small',
  color: colors.text2,
} as const
