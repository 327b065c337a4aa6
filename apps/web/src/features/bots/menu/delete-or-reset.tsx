import type { Bot } from '@shapecast/contracts/bots'
import { heldWords } from '#entities/bots/bot-words.ts'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import type { BotActions } from '../use-bot.ts'

export interface DeleteBotDialogProps {
  bot: Bot
  remove: BotActions['remove']
  onClose: () => void
}

/** Asks once before a bot and its history are gone. */
export const DeleteBotDialog = ({ bot, remove, onClose }: DeleteBotDialogProps) => (
  <ConfirmDialog
    title="Delete Trading Bot?"
    text={`This action cannot be undone. All bot data and trade history will be deleted.${
      bot.isVirtual ? '' : ' Its orders at the exchange and their fills stay in the file with your own data.'
    }`}
    subject={`${bot.name} · ${formatMoneyUnit(bot.currentBalance, 'USDT')} · ${formatCounted(bot.totalTrades, 'trade')}${
      bot.status === 'active' ? ' · it is stopped first' : ''
    }${soldWords(bot)}`}
    confirmLabel="Delete"
    onConfirm={() => remove.mutate({ params: { id: bot.id } }, { onSuccess: onClose })}
    onClose={onClose}
    busy={remove.isPending}
    error={remove.error === null ? undefined : errorInFull(remove.error, 'The bot could not be deleted.')}
  />
)

function soldWords(bot: Bot): string {
  if (bot.positions.length === 0) return ''
  const held = heldWords(bot)
  return bot.isVirtual ? ` · sells ${held} at the newest price` : ` · it holds ${held}: stop it and sell that first`
}

export interface ResetBotDialogProps {
  bot: Bot
  reset: BotActions['reset']
  onClose: () => void
}

/** Asks once before a virtual bot begins again from its initial balance. */
export const ResetBotDialog = ({ bot, reset, onClose }: ResetBotDialogProps) => (
  <ConfirmDialog
    title="Reset the bot?"
    text={`Its balance goes back to ${formatMoneyUnit(bot.initialBalance, 'USDT')}. Its trades, decisions and equity curve are deleted. This action cannot be undone.`}
    subject={`${bot.name} · ${formatMoneyUnit(bot.currentBalance, 'USDT')} · ${formatCounted(bot.totalTrades, 'trade')}`}
    confirmLabel={reset.isPending ? 'Resetting…' : 'Reset'}
    onConfirm={() => reset.mutate({ params: { id: bot.id } }, { onSuccess: onClose })}
    onClose={onClose}
    busy={reset.isPending}
    error={reset.error === null ? undefined : errorInFull(reset.error, 'The bot could not be reset.')}
  />
)
