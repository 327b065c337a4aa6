import type { Bot } from '@shapecast/contracts/bots'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import type { BotActions } from '../use-bot-actions.ts'

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
