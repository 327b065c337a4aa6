import { Box, Typography } from '@mui/material'
import { TriangleAlert } from 'lucide-react'
import { SignalChip } from '#entities/markets/trading-chips.tsx'
import { isPoor, shortVerdict } from '#entities/models/signal-words.ts'
import { formatPrice } from '#kit/format/money.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { colors } from '#kit/theme/tokens.ts'
import type { TestState } from './use-model-test.ts'

/** What a test said: signal, confidence and price, or the error as a warning. Read aloud when it comes. */
export function TestResult({ state, tickSize }: { state: TestState | undefined; tickSize: number | undefined }) {
  return (
    <Box
      role="status"
      sx={{ display: 'flex', alignItems: 'center', minWidth: 0, minHeight: state === undefined ? 0 : 22 }}
    >
      {state?.kind === 'testing' && (
        <Typography component="span" variant="small" sx={{ color: colors.text2 }}>
          Testing…
        </Typography>
      )}
      {state?.kind === 'failed' && (
        <Typography
          component="span"
          variant="small"
          sx={{ display: 'flex', alignItems: 'flex-start', gap: 0.75, color: colors.warn, overflowWrap: 'anywhere' }}
        >
          <Box component={TriangleAlert} size={14} aria-hidden sx={{ mt: '2px', flexShrink: 0 }} />
          <span>{state.text}</span>
        </Typography>
      )}
      {state?.kind === 'said' && (
        <Box sx={{ display: 'grid', alignItems: 'center', gridTemplateColumns: '68px 58px auto', columnGap: 1 }}>
          {isPoor(state.prediction.verdict) && (
            <Typography component="span" variant="small" sx={{ gridColumn: '1 / -1' }}>
              {shortVerdict(state.prediction.verdict)}
            </Typography>
          )}
          <span>
            <SignalChip signal={state.prediction.signal} isQuiet={isPoor(state.prediction.verdict)} />
          </span>
          <Typography component="span" sx={{ fontWeight: 600 }} title="Confidence">
            {formatShareRatio(state.prediction.confidence)}
          </Typography>
          <Typography component="span" sx={{ color: colors.text2 }} title="Current price">
            {formatPrice(state.prediction.current_price, tickSize)}
          </Typography>
        </Box>
      )}
    </Box>
  )
}
