import { Box, Button, Typography } from '@mui/material'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'

/** In the place of the chart: why there is none, and a way to try again where that may help. */
export function ChartUnavailable({
  reason,
  isLoading,
  onLoad,
}: {
  reason: string
  isLoading: boolean
  /** null where loading cannot help. */
  onLoad: (() => void) | null
}) {
  return (
    <Box sx={{ py: 3 }}>
      <Typography sx={{ fontWeight: 500 }}>Chart unavailable</Typography>
      <Typography variant="small" sx={{ mt: 0.5, color: colors.text2, maxWidth: 560 }}>
        {reason}
      </Typography>
      {onLoad !== null && (
        <Button size="small" sx={{ mt: 1.5 }} {...busyPress(isLoading, onLoad)}>
          {isLoading ? 'Loading…' : 'Load Data'}
        </Button>
      )}
    </Box>
  )
}
