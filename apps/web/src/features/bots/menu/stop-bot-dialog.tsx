import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import type { Bot } from '@shapecast/contracts/bots'
import { POLICIES } from '@shapecast/contracts/policies'
import { useState } from 'react'
import { hasKept, heldWords, pairWords, policyOf } from '#entities/bots/bot-words.ts'
import { closingCost } from '#entities/trade/order-estimate.ts'
import { formatMoney, formatMoneyUnit, formatPnlUnit, formatPrice } from '#kit/format/money.ts'
import { directionOf } from '#kit/format/number.ts'
import { formatBps, formatFeeRate } from '#kit/format/percent.ts'
import { busyButton } from '#kit/ui/button.tsx'
import { Choice, Choices } from '#kit/ui/choice.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { Column, directionColor, Link, Text } from '#kit/ui/primitives.tsx'
import { failureText } from '#wire/calls/error-text.ts'
import { useRealMoneyWords } from '../real/real-money-words.tsx'
import type { BotActions } from '../use-bot.ts'

/** Asks what becomes of a position when its bot stops, and says what selling costs: to sell real money takes the words. */
export function StopBotDialog({
  bot,
  actions: { stop, pause },
  onClose,
}: {
  bot: Bot
  actions: Pick<BotActions, 'stop' | 'pause'>
  onClose: () => void
}) {
  const isKept = hasKept(bot)
  const [position, setPosition] = useState<'keep' | 'sell'>(isKept ? 'sell' : 'keep')
  const sells = position === 'sell'
  const needsWords = sells && !bot.isVirtual
  const words = useRealMoneyWords(needsWords)
  const verb = bot.marketType === 'futures' ? 'close' : 'sell'
  const worth = bot.positions.reduce((sum, each) => sum + each.worth, 0)
  const pnl = bot.positions.reduce((sum, each) => sum + each.unrealizedPnL, 0)
  const cost = closingCost(bot.positions, bot.parameters?.costs)
  const how = bot.strategy === 'openai' ? 'OpenAI signal' : POLICIES[policyOf(bot)].name
  const brings = !bot.isVirtual
    ? `With a fee of ${formatFeeRate(BACKTEST_DEFAULTS.feeRate)} and ${formatBps(BACKTEST_DEFAULTS.slippageBps)} of slippage that costs about ${formatMoneyUnit(cost, 'USDT')}; your exchange may take more or less.`
    : bot.marketType === 'futures'
      ? `Costs about ${formatMoneyUnit(cost, 'USDT')} of fee and slippage.`
      : `Brings about ${formatMoneyUnit(worth - cost, 'USDT')} after ${formatMoney(cost)} of fee and slippage, and books ${formatPnlUnit(pnl - cost, 'USDT')}.`
  const failed = stop.error ?? pause.error
  const [only] = bot.positions.length === 1 ? bot.positions : []
  return (
    <ConfirmDialog
      title={isKept ? `${capital(verb)} what ${bot.name} has kept?` : `Stop ${bot.name}?`}
      subtitle={`${bot.isVirtual ? 'Virtual' : 'Real money'} · ${how} · ${pairWords(bot.tradingPairs, 3)} · ${bot.parameters?.timeframe ?? '1h'} · equity ${formatMoneyUnit(bot.currentBalance, 'USDT')}`}
      widthPx={600}
      subject={
        <Column gap={2}>
          <Text>
            It holds {heldWords(bot)}, worth {formatMoneyUnit(worth, 'USDT')}
            {!bot.isVirtual && ' of real money'}:{' '}
            <span style={{ color: directionColor(directionOf(pnl)) }}>{formatPnlUnit(pnl, 'USDT')}</span>
            {only !== undefined && ` since ${formatPrice(only.entryPrice)}`}, before costs.
          </Text>
          {!isKept && (
            <Choices label="Position" value={position} onChange={setPosition}>
              <Choice value="keep" title={`Keep the position${bot.positions.length > 1 ? 's' : ''}, stop deciding`}>
                {keepWords(bot)}
              </Choice>
              <Choice
                value="sell"
                title={`${capital(verb)} now${only === undefined ? '' : ` at about ${formatPrice(only.markPrice)}`}`}
              >
                {brings}
                {!bot.isVirtual &&
                  ' It goes at the market, after its open orders are cancelled. In a fast market the price may be far worse.'}
              </Choice>
            </Choices>
          )}
          {isKept && <p>{brings}</p>}
          {words.field}
        </Column>
      }
      confirmLabel={
        stop.isPending ? 'Stopping…' : isKept ? capital(verb) : sells ? `Stop and ${verb}` : 'Stop and keep'
      }
      note={
        bot.status === 'active' && (
          <>
            <Link
              as="button"
              type="button"
              {...busyButton(pause.isPending, () => pause.mutate({ params: { id: bot.id } }, { onSuccess: onClose }))}
            >
              Pause instead
            </Link>
            : its limit stays watched
          </>
        )
      }
      tone={needsWords ? 'danger' : 'contained'}
      disabledReason={words.disabledReason}
      onConfirm={() =>
        stop.mutate({ params: { id: bot.id }, body: { position, ...words.confirm } }, { onSuccess: onClose })
      }
      onClose={onClose}
      busy={stop.isPending}
      error={failureText(failed, 'The server did not answer: it may trade on. Look before you try again.')}
    />
  )
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

function keepWords({ isVirtual, marketType }: Bot): string {
  if (!isVirtual)
    return 'It stays with the stop-loss and take profit that stand at the exchange. Nothing else acts on it, no limit on losses either.'
  const liquidated = marketType === 'futures' ? ' It can still be liquidated.' : ''
  return `Nothing acts on it then: no stop-loss, no take profit, no limit.${liquidated} You can close it later; a start goes on with it.`
}
