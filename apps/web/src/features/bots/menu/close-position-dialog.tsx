import { closePosition } from '@shapecast/contracts/bot-changes'
import type { Bot, BotPosition } from '@shapecast/contracts/bots'
import { holdsShare, POLICIES, type Policy } from '@shapecast/contracts/policies'
import { policyOf } from '#entities/bots/bot-words.ts'
import { sellingFacts } from '#entities/bots/position-columns.tsx'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import { formatQuantityAsset } from '#kit/format/money.ts'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import { Column } from '#kit/ui/primitives.tsx'
import { failureText } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useRequestKey } from '#wire/calls/use-request-key.ts'
import { useRealMoneyWords } from '../real/real-money-words.tsx'

/** Asks before a position is closed: at which price about, and what its bot does then. */
export function ClosePositionDialog({
  bot,
  position,
  onClose,
}: {
  bot: Bot
  position: BotPosition
  onClose: () => void
}) {
  const close = useEndpointMutation(closePosition)
  const key = useRequestKey()
  const words = useRealMoneyWords(!bot.isVirtual)
  const ticker = useTicker(position.symbol).data
  const { symbol, side, quantity } = position
  const market = useMarketOf(symbol)
  // Futures at an exchange have prices of their own.
  const isOwnPrice = bot.isVirtual || bot.marketType === 'spot'
  const price = isOwnPrice ? (ticker?.last ?? position.markPrice) : position.markPrice
  const gain = quantity * (price - position.entryPrice) * (side === 'long' ? 1 : -1)
  const amount = formatQuantityAsset(quantity, market?.base ?? symbol)
  const verb = side === 'long' ? 'Sell' : 'Buy back'
  return (
    <ConfirmDialog
      title={`Close the ${side} of ${bot.name}?`}
      text={`${verb} ${amount} at the market${bot.isVirtual ? '' : ', with real money'}. ${nextWords(bot)}`}
      subject={
        <Column gap={2}>
          <Facts
            facts={sellingFacts({
              price,
              priceAt: isOwnPrice ? (ticker?.timestamp ?? null) : null,
              quantity,
              pnl: gain,
              tickSize: market?.tickSize,
            })}
          />
          {words.field}
        </Column>
      }
      confirmLabel={close.isPending ? 'Closing…' : 'Close position'}
      tone={bot.isVirtual ? 'contained' : 'danger'}
      disabledReason={words.disabledReason}
      onConfirm={() =>
        close.mutate(
          {
            params: { id: bot.id },
            body: { symbol, ...words.confirm },
            idempotencyKey: key,
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
      busy={close.isPending}
      error={failureText(close.error, 'The server did not answer. Press again: it is closed once.')}
    />
  )
}

/** What its bot does after that. */
export function nextWords(bot: Pick<Bot, 'status' | 'parameters'>): string {
  if (bot.status === 'stopped') return 'The bot stays stopped.'
  if (bot.status === 'paused') return 'The bot stays paused and opens nothing until it is started.'
  const policy = policyOf(bot)
  if (!holdsShare(policy))
    return `The bot goes on and may open again at its next decision, at the next ${bot.parameters?.timeframe ?? '1h'} close.`
  return `The bot goes on: ${POLICIES[policy].name} decides once a day, at 00:00 UTC, and is expected to ${EXPECTED[policy]} then.`
}

const BY_TREND = 'buy again if its trend still points up'
const EXPECTED: Readonly<Record<Exclude<Policy, 'signal' | 'rule'>, string>> = {
  fixed_share: 'buy its share again',
  steady_risk: 'buy again by its risk level',
  model_brake: 'buy again, as much as its model allows',
  trend_steady_risk: BY_TREND,
  trend_ensemble: BY_TREND,
}
