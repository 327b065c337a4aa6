import { Typography } from '@mui/material'
import { formatClock } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { errorText } from '#wire/calls/error-text.ts'

/** In a few words what is under way with the candles and what has failed; the chart itself stays. */
export function ChartNotes({
  isLoadingOlder,
  olderError,
  refreshError,
  predictionsError,
  updatedAtMs,
}: {
  isLoadingOlder: boolean
  olderError: unknown
  refreshError: unknown
  predictionsError: unknown
  /** When candles last came, ms. */
  updatedAtMs: number
}) {
  const text = isLoadingOlder
    ? 'Loading older candles…'
    : refreshError !== null
      ? `Not refreshed since ${formatClock(updatedAtMs)}: ${errorText(refreshError, 'the server does not answer')}`
      : olderError !== null
        ? `Older candles did not load: ${errorText(olderError, 'the server does not answer')}. Pan again to retry.`
        : predictionsError !== null
          ? `Predictions did not load: ${errorText(predictionsError, 'the server does not answer')}`
          : null
  return (
    <Typography
      role="status"
      component="span"
      variant="label"
      sx={{
        position: 'absolute',
        top: 4,
        left: 4,
        zIndex: 3,
        px: text === null ? 0 : 0.5,
        fontWeight: 400,
        color: isLoadingOlder ? colors.text3 : colors.down,
        backgroundColor: colors.surface,
        pointerEvents: 'none',
      }}
    >
      {text}
    </Typography>
  )
}
