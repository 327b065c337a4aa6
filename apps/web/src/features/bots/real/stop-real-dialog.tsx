import type { Bot } from '@shapecast/contracts/bots'
import { REAL_MONEY_WORDS } from '@shapecast/contracts/real-bots'
import { useState } from 'react'
import { errorText } from '../../../shared/api/error-text.ts'
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx'
import type { BotActions } from '../use-bot-actions.ts'
import { areRealMoneyWords, RealMoneyWordsField } from './real-money-words.tsx'

/** Asks before what a bot holds is closed for real money. */
export function StopRealDialog({ bot, stop, onClose }: { bot: Bot; stop: BotActions['stop']; onClose: () => void }) {
  const [words, setWords] = useState('')
  const [close, closed] = bot.marketType === 'futures' ? ['close', 'closed'] : ['sell', 'sold']
  return (
    <ConfirmDialog
      title={`Stop ${bot.name} and ${close} what it holds?`}
      text={`Its open orders are cancelled and its position is ${closed} at the market. To keep the position with its stops, pause it instead.`}
      subject={<RealMoneyWordsField value={words} onChange={setWords} />}
      confirmLabel={stop.isPending ? 'Stopping…' : `Stop and ${close}`}
      whyNot={areRealMoneyWords(words) ? undefined : `Type the words ${REAL_MONEY_WORDS} first`}
      onConfirm={() =>
        stop.mutate({ params: { id: bot.id }, body: { confirm: REAL_MONEY_WORDS } }, { onSuccess: onClose })
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
