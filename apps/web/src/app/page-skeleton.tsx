import { Box } from '@mui/material'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { visuallyHidden } from '#kit/ui/visually-hidden.ts'

/** The place of a page whose code or session is on its way. */
export const PageSkeleton = () => (
  <SkeletonGroup label="Loading the page">
    <Box component="h1" sx={visuallyHidden}>
      Loading the page
    </Box>
    <Box sx={{ display: 'grid', gap: 2 }}>
      <SkeletonBox width={180} height={28} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '320px 1fr' } }}>
        <SkeletonBox height={320} />
        <SkeletonBox height={320} />
      </Box>
    </Box>
  </SkeletonGroup>
)
