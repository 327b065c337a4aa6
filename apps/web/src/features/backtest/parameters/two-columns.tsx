import { Box } from '@mui/material'
import type { ReactNode } from 'react'

/** Two fields side by side. */
export const TwoColumns = ({ children }: { children: ReactNode }) => (
  <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', columnGap: 1.5, rowGap: 1.5 }}>
    {children}
  </Box>
)
