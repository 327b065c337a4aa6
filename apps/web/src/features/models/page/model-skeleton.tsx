import { Box } from '@mui/material'
import { pageColumn, twoCards } from '#kit/ui/page-layout.ts'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'

/** The cards of a model page that is on its way. */
export const ModelSkeleton = () => (
  <SkeletonGroup label="Loading the model">
    <Box sx={pageColumn}>
      <SkeletonBox height={420} />
      <SkeletonBox height={420} />
      <Box sx={twoCards}>
        <SkeletonBox height={280} />
        <SkeletonBox height={280} />
      </Box>
    </Box>
  </SkeletonGroup>
)
