import { Button } from '@mui/material'
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
import { busyPress } from '#kit/ui/busy-press.ts'
import { Chip } from '#kit/ui/chip.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import css from './bot-row.module.css'

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
    <li className={css.row}>
      <Text as="span" title={bot.name} weight={500} noWrap style={{ gridArea: 'name' }}>
        {bot.name}
        {!bot.isVirtual && (
          <span style={{ marginLeft: 8, verticalAlign: 'middle' }}>
            <MoneyChip isVirtual={false} />
          </span>
        )}
      </Text>
      <div style={{ gridArea: 'status' }}>
        <BotStatusChip status={bot.status} />
      </div>
      <div
        title={prediction === undefined ? undefined : `${prediction.symbol} at ${formatExactTime(prediction.madeAt)}`}
        className={css.signal}
      >
        {isPoor(verdict) && (
          <Note as="span" title={shortVerdict(verdict)} tone="text2" style={{ width: '100%', whiteSpace: 'nowrap' }}>
            not worth trading
          </Note>
        )}
        {prediction !== undefined && <SignalChip signal={prediction.signal} isQuiet={isPoor(verdict)} />}
        <Text as="span" title={hasSignal ? 'Confidence' : 'It asks no model'} size="small" tone="text2">
          {prediction === undefined || prediction.confidence === 0 ? UNKNOWN : formatShareRatio(prediction.confidence)}
        </Text>
      </div>
      <div style={{ gridArea: 'pnl', textAlign: 'right' }}>
        <PnlChip pnl={bot.totalPnL} />
      </div>
      <div style={{ gridArea: 'refresh', textAlign: 'right', marginRight: -8 }}>
        <Button
          variant="text"
          size="small"
          startIcon={<RefreshCw size={14} />}
          aria-label={`refresh ${bot.name}`}
          {...busyPress(poll.isPending, () => poll.mutate({ params: { id: bot.id } }))}
        >
          refresh
        </Button>
      </div>
    </li>
  )
})
