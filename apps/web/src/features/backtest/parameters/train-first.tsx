import { Box, Button, Typography } from '@mui/material'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { train } from '@shapecast/contracts/trainings'
import { errorText } from '../../../shared/api/error-text.ts'
import { useEndpointMutation } from '../../../shared/api/use-endpoint.ts'
import { colors } from '../../../shared/theme/tokens.ts'
import { busyPress } from '../../../shared/ui/busy-press.ts'

const CANDLES = 5000

/** Says that a version cannot predict the chosen series, and trains it there. */
export function TrainFirst({ version, symbol, timeframe }: { version: string; symbol: string; timeframe: Timeframe }) {
  const start = useEndpointMutation(train)
  return (
    <Box role="status" sx={{ mt: -0.5 }}>
      <Typography variant="label" component="div" sx={{ mb: 0.75, fontWeight: 400, color: colors.warn }}>
        {start.isSuccess
          ? `${version} is being trained on ${symbol} ${timeframe}. The Lern page shows how far it is.`
          : `${version} is not trained on ${symbol} ${timeframe}.`}
      </Typography>
      {start.isError && (
        <Typography variant="label" component="div" sx={{ mb: 0.75, fontWeight: 400, color: colors.down }}>
          {errorText(start.error, 'The training could not be started.')}
        </Typography>
      )}
      {!start.isSuccess && (
        <Button
          size="small"
          {...busyPress(start.isPending, () => start.mutate({ body: { version, symbol, timeframe, limit: CANDLES } }))}
        >
          {start.isPending ? 'Starting…' : `Train ${version} on ${symbol} ${timeframe}`}
        </Button>
      )}
    </Box>
  )
}
