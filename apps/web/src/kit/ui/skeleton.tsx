import { Box, Skeleton as MuiSkeleton } from '@mui/material'
import { keyframes } from '@mui/material/styles'
import type { ReactNode } from 'react'

/** Takes its room at once, so that nothing jumps, and is seen after 150 ms, so that a quick reply flashes no boxes. */
const appear = keyframes({ from: { visibility: 'hidden' }, to: { visibility: 'visible' } })
const afterDelay = { animation: `${appear} 1ms 150ms backwards` } as const

/** A box in the place of content that is on its way. Wrap a group of them in `SkeletonGroup`. */
export const SkeletonBox = ({ width = '100%', height = 16 }: { width?: number | string; height?: number | string }) => (
  <MuiSkeleton width={width} height={height} />
)

/** The boxes of one region: unseen for 150 ms, and announced as loading. */
export const SkeletonGroup = ({ label = 'Loading', children }: { label?: string; children: ReactNode }) => (
  <Box role="status" aria-label={label} sx={afterDelay}>
    {children}
  </Box>
)
