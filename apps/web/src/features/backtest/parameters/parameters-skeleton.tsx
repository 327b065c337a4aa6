import { Box, Card } from '@mui/material'
import { coarsePointer, TOUCH_PX } from '#kit/theme/touch.ts'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'

const CONTROL = 36
/** What stands above or around the control of each field of a bot's test, in px: nothing below moves when they come. */
const BESIDES_CONTROL = { mode: 26, bot: 22, days: 22, candles: 22, costs: 22, run: 0 }
const FACTS_AND_SWITCH = 178
const FOLDED = 58

/** The place of the form while it is not known what can be chosen. */
export const ParametersSkeleton = ({ isFolded }: { isFolded: boolean }) => (
  <SkeletonGroup label="Loading the parameters">
    {isFolded ? (
      <SkeletonBox height={FOLDED} />
    ) : (
      <Card sx={{ pt: '48px', px: 2, pb: 2, display: 'grid', gap: 1.5 }}>
        {Object.entries(BESIDES_CONTROL).map(([field, height]) => (
          <Box
            key={field}
            sx={{ height: height + CONTROL, [coarsePointer]: { height: height + Math.max(CONTROL, TOUCH_PX) } }}
          >
            <SkeletonBox height="100%" />
          </Box>
        ))}
        <SkeletonBox height={FACTS_AND_SWITCH} />
      </Card>
    )}
  </SkeletonGroup>
)
