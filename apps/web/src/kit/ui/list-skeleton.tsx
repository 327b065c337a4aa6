import { Box } from '@mui/material'
import { SkeletonBox, SkeletonGroup } from './skeleton.tsx'

/** The rows of a list that is on its way. */
export const ListSkeleton = ({ label, rowHeightPx, rows }: { label: string; rowHeightPx: number; rows: number }) => (
  <SkeletonGroup label={label}>
    <Box sx={{ p: 2, display: 'grid', gap: 2 }}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <SkeletonBox key={row} height={rowHeightPx} />
      ))}
    </Box>
  </SkeletonGroup>
)
