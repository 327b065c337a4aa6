import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { colors, radius } from '../theme/tokens.ts'
import { CopyButton } from './copy-button.tsx'

/** A code or secret that is never shown again, with a button that copies it. */
export function ShownOnce({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  return (
    <Box role="group" aria-label={label}>
      <Typography variant="label" component="div" sx={{ mb: 0.75, color: colors.text2 }}>
        {label}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'start', gap: 1 }}>
        <Box component="output" sx={valueStyle}>
          {value}
        </Box>
        <CopyButton value={value} />
      </Box>
      {children !== undefined && (
        <Typography variant="label" component="div" sx={{ mt: 0.75, fontWeight: 400, color: colors.text3 }}>
          {children}
        </Typography>
      )}
    </Box>
  )
}

const valueStyle = {
  flex: 1,
  minWidth: 0,
  px: 1.25,
  py: 1,
  borderRadius: `${radius.button}px`,
  backgroundColor: colors.inset,
  border: `1px solid ${colors.field}`,
  fontFamily: 'monospace',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
} as const
