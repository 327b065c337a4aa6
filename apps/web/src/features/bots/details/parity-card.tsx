import { Box, Button, Typography } from '@mui/material'
import { type BotParity, botParity } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { RefreshCw } from 'lucide-react'
import { formatPnlUnit } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatDateRange, formatTableTimeYear } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const CAUSES = {
  price_between_candles: 'Price between candles',
  fee: 'Fee',
  missed_candle: 'Missed candle',
  follows_from_missed: 'Follows from a missed candle',
  candle_changed: 'Candle changed',
  candle_late: 'Candle late',
  model_changed: 'Model changed',
  settings_changed: 'Settings changed',
  order_refused: 'Order refused',
} as const satisfies Record<BotParity['differences'][number]['cause'], string>

/** Its live trades against a backtest of the same rules over the same candles; compared when asked. */
export function ParityCard({ bot }: { bot: Bot }) {
  const reply = useEndpointQuery(botParity, { params: { id: bot.id } }, { enabled: false, retry: false })
  const parity = reply.data
  return (
    <Card
      title="Live against backtest"
      facts={
        parity === undefined
          ? 'the same rules over the same candles'
          : `${formatDateRange(parity.from, parity.to)} · ${formatCounted(parity.candles, 'candle')}`
      }
      flush
      actions={
        <Button
          variant="text"
          size="small"
          startIcon={<RefreshCw size={14} />}
          {...busyPress(reply.isFetching, () => void reply.refetch())}
        >
          {reply.isFetching ? 'Comparing…' : parity === undefined ? 'Compare' : 'Compare again'}
        </Button>
      }
    >
      {parity === undefined && !reply.isError && (
        <EmptyLine>A live bot takes the same steps as a backtest. Compare, to see whether it did.</EmptyLine>
      )}
      {reply.isError && <EmptyLine>{errorText(reply.error, 'They could not be compared.')}</EmptyLine>}
      {parity !== undefined && <Compared parity={parity} />}
    </Card>
  )
}

function Compared({ parity }: { parity: BotParity }) {
  const total = Math.max(parity.liveTrades, parity.backtestTrades)
  const equal = Math.max(0, total - parity.differences.length)
  return (
    <Box sx={{ p: 2, display: 'grid', gap: 1.5 }}>
      <Box>
        <Typography variant="h2" component="p">
          {total === 0 ? 'No trades on either side' : `${equal} of ${formatCounted(total, 'trade')} equal`}
        </Typography>
        <Typography variant="small" sx={{ color: colors.text2 }}>
          Closed trades: live {formatPnlUnit(parity.livePnL, 'USDT')} · backtest{' '}
          {formatPnlUnit(parity.backtestPnL, 'USDT')}
        </Typography>
      </Box>
      {parity.costs.length > 0 && (
        <Typography variant="small">
          {parity.costs
            .map(
              ({ cause, trades, pnl }) =>
                `${CAUSES[cause]}: ${formatPnlUnit(pnl, 'USDT')} in ${formatCounted(trades, 'trade')}`,
            )
            .join(' · ')}
        </Typography>
      )}
      {parity.differences.map((difference) => (
        <Box
          key={`${difference.candleTs} ${difference.symbol} ${difference.cause}`}
          sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, typography: 'small' }}
        >
          <span>{formatTableTimeYear(difference.candleTs)}</span>
          <Chip label={CAUSES[difference.cause]} tone="warn" />
          <Box component="span" sx={{ color: colors.text2 }}>
            {difference.note}
          </Box>
          <Box component="span" sx={{ ml: 'auto' }}>
            {formatPnlUnit((difference.live?.netPnL ?? 0) - (difference.backtest?.netPnL ?? 0), 'USDT')}
          </Box>
        </Box>
      ))}
    </Box>
  )
}
