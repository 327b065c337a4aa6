import type { Bot } from '@shapecast/contracts/bots'
import { REAL_MONEY_WORDS } from '@shapecast/contracts/real-bots'
import { useState } from 'react'
import { hasKept, heldWords } from '#entities/bots/bot-words.ts'
import { formatMoneyUnit, formatPnlUnit, formatPrice } from '#kit/format/money.ts'
import { Choice, Choices } from '#kit/ui/choice.tsx'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { Column } from '#kit/ui/layout.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { areRealMoneyWords, RealMoneyWordsField } from '../real/real-money-words.tsx'
import type { BotActions } from '../use-bot.ts'

/** Asks what becomes of a position when its bot stops: to sell real money takes the words. */
export function StopBotDialog({ bot, stop, onClose }: { bot: Bot; stop: BotActions['stop']; onClose: () => void }) {
  const isKept = hasKept(bot)
  const [position, setPosition] = useState<'keep' | 'sell'>(isKept ? 'sell' : 'keep')
  const [words, setWords] = useState('')
  const sells = position === 'sell'
  const needsWords = sells && !bot.isVirtual
  const verb = bot.marketType === 'futures' ? 'close' : 'sell'
  const worth = bot.positions.reduce((sum, each) => sum + each.worth, 0)
  const pnl = bot.positions.reduce((sum, each) => sum + each.unrealizedPnL, 0)
  const [only] = bot.positions.length === 1 ? bot.positions : []
  return (
    <ConfirmDialog
      title={isKept ? `${capital(verb)} what ${bot.name} has kept?` : `Stop ${bot.name}?`}
      text={`It holds ${heldWords(bot)}, worth ${formatMoneyUnit(worth, 'USDT')}${bot.isVirtual ? '' : ' of real money'}: ${formatPnlUnit(pnl, 'USDT')} before costs.`}
      subject={
        <Column gap={2}>
          {!isKept && (
            <Choices label="Position" value={position} onChange={setPosition}>
              <Choice value="keep" isChosen={!sells} title="Keep the position">
                {keepWords(bot)}
              </Choice>
              <Choice
                value="sell"
                isChosen={sells}
                title={`${capital(verb)} now${only === undefined ? '' : ` at about ${formatPrice(only.markPrice)}`}`}
              >
                {bot.isVirtual
                  ? 'At the newest price, with fee and slippage.'
                  : 'At the market, after its open orders are cancelled. In a fast market the price may be far worse.'}
              </Choice>
            </Choices>
          )}
          {needsWords && <RealMoneyWordsField value={words} onChange={setWords} />}
        </Column>
      }
      confirmLabel={
        stop.isPending ? 'Stopping…' : isKept ? capital(verb) : sells ? `Stop and ${verb}` : 'Stop and keep'
      }
      tone={sells ? 'danger' : 'contained'}
      disabledReason={!needsWords || areRealMoneyWords(words) ? undefined : `Type the words ${REAL_MONEY_WORDS} first`}
      onConfirm={() =>
        stop.mutate(
          { params: { id: bot.id }, body: needsWords ? { position, confirm: REAL_MONEY_WORDS } : { position } },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
      busy={stop.isPending}
      error={
        stop.error === null
          ? undefined
          : errorText(stop.error, 'The server did not answer: it may trade on. Look before you try again.')
      }
    />
  )
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

function keepWords({ isVirtual, marketType }: Bot): string {
  if (!isVirtual)
    return 'It stays with the stop-loss and take profit that stand at the exchange. Nothing else acts on it, no limit on losses either.'
  const liquidated = marketType === 'futures' ? ' It can still be liquidated.' : ''
  return `Nothing acts on it: no stop-loss, no take profit, no limit.${liquidated} A start goes on with it.`
}
