import { Box } from '@mui/material'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'

/** The boxes of a run that is on its way. */
export const ResultsSkeleton = () => (
  <SkeletonGroup label="Loading the run">
    <Box sx={{ display: 'grid', gap: 2 }}>
      <SkeletonBox width="60%" height={28} />
      <SkeletonBox height={540} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 280px' } }}>
        <SkeletonBox height={244} />
        <SkeletonBox height={244} />
      </Box>
    </Box>
  </SkeletonGroup>
)
