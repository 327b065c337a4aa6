import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import { Mark } from './logo.tsx'

/** Where a page or a large region has nothing to show: mark, sentence, one action, aligned left. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Box sx={{ p: 3, display: 'flex', flexDirection: 'column', alignItems: 'flex-start' }}>
      <Mark sizePx={28} />
      <Typography component="p" variant="h2" sx={{ mt: 2 }}>
        {title}
      </Typography>
      {children !== undefined && (
        <Typography variant="small" sx={{ mt: 0.5, color: colors.text2, maxWidth: 460 }}>
          {children}
        </Typography>
      )}
      {action !== undefined && <Box sx={{ mt: 2 }}>{action}</Box>}
    </Box>
  )
}

/** An empty list: one line. */
export const EmptyLine = ({ children }: { children: ReactNode }) => (
  <Typography variant="small" sx={{ px: 2, py: 1.75, color: colors.text2 }}>
    {children}
  </Typography>
)
