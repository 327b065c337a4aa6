import { Box, Button, Typography } from '@mui/material'
import type { Bot } from '@shapecast/contracts/bots'
import type { BotPrediction } from '@shapecast/contracts/predictions'
import { RefreshCw } from 'lucide-react'
import { memo } from 'react'
import { MoneyChip } from '#entities/bots/bot-chips.tsx'
import { usePollPrediction } from '#entities/bots/use-bot-predictions.ts'
import { BotStatusChip, SignalChip } from '#entities/markets/trading-chips.tsx'
import { isPoor, shortVerdict } from '#entities/models/signal-words.ts'
import { formatPnl, formatPnlUnit } from '#kit/format/money.ts'
import { directionOf, UNKNOWN } from '#kit/format/number.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { formatExactTime } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Chip } from '#kit/ui/chip.tsx'

const QUOTE = 'USDT'

/** Profit or loss with its sign; neutral where it rounds to zero. */
function PnlChip({ pnl }: { pnl: number }) {
  const direction = directionOf(pnl)
  return (
    <Chip
      label={formatPnl(pnl)}
      tone={direction === 'flat' ? 'filled' : direction}
      title={`PnL ${formatPnlUnit(pnl, QUOTE)}`}
    />
  )
}

/** A bot: state, what its models said last, its profit or loss, and a way to ask them now. */
export const BotRow = memo(function BotRow({
  bot,
  prediction,
  hasSignal = true,
}: {
  bot: Bot
  prediction: BotPrediction | undefined
  hasSignal?: boolean
}) {
  const poll = usePollPrediction()
  const verdict = prediction?.verdict ?? null
  return (
    <Box component="li" sx={rowStyle}>
      <Typography component="span" noWrap title={bot.name} sx={{ gridArea: 'name', fontWeight: 500 }}>
        {bot.name}
        {!bot.isVirtual && (
          <Box component="span" sx={{ ml: 1, verticalAlign: 'middle' }}>
            <MoneyChip isVirtual={false} />
          </Box>
        )}
      </Typography>
      <Box sx={{ gridArea: 'status' }}>
        <BotStatusChip status={bot.status} />
      </Box>
      <Box
        sx={signalStyle}
        title={prediction === undefined ? undefined : `${prediction.symbol} at ${formatExactTime(prediction.madeAt)}`}
      >
        {isPoor(verdict) && (
          <Typography component="span" variant="label" title={shortVerdict(verdict)} sx={poorStyle}>
            not worth trading
          </Typography>
        )}
        {prediction !== undefined && <SignalChip signal={prediction.signal} isQuiet={isPoor(verdict)} />}
        <Typography
          component="span"
          variant="small"
          title={hasSignal ? 'Confidence' : 'It asks no model'}
          sx={{ color: colors.text2 }}
        >
          {prediction === undefined || prediction.confidence === 0 ? UNKNOWN : formatShareRatio(prediction.confidence)}
        </Typography>
      </Box>
      <Box sx={{ gridArea: 'pnl', textAlign: 'right' }}>
        <PnlChip pnl={bot.totalPnL} />
      </Box>
      <Box sx={{ gridArea: 'refresh', textAlign: 'right', mr: -1 }}>
        <Button
          variant="text"
          size="small"
          startIcon={<RefreshCw size={14} />}
          aria-label={`refresh ${bot.name}`}
          {...busyPress(poll.isPending, () => poll.mutate({ params: { id: bot.id } }))}
        >
          refresh
        </Button>
      </Box>
    </Box>
  )
})

/** In one line the confidences stand below each other, figures to the right. */
const signalStyle = {
  gridArea: 'signal',
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  columnGap: 1,
  rowGap: 0.25,
  '@container (min-width: 540px)': { justifyContent: 'space-between', '& > :only-child': { ml: 'auto' } },
} as const

const poorStyle = { width: '100%', color: colors.text2, fontWeight: 400, whiteSpace: 'nowrap' } as const

/** The card is a container: a row is one line where the card has room for it. */
const rowStyle = {
  display: 'grid',
  alignItems: 'center',
  columnGap: 1,
  rowGap: 0.5,
  px: 2,
  py: 1,
  minHeight: 44,
  borderTop: `1px solid ${colors.divider}`,
  gridTemplateAreas: '"name name refresh" "status signal pnl"',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  '@container (min-width: 540px)': {
    py: 0.5,
    columnGap: 1.5,
    gridTemplateAreas: '"name status signal pnl refresh"',
    gridTemplateColumns: 'minmax(0, 1fr) 80px 128px minmax(72px, auto) auto',
  },
} as const
