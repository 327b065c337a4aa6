import type { Bot } from '@shapecast/contracts/bots'
import { errorText } from '../../shared/api/error-text.ts'
import { formatMoneyUnit } from '../../shared/format/money.ts'
import { formatCounted } from '../../shared/format/number.ts'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import type { BotActions } from './use-bots.ts'

export interface DeleteBotDialogProps {
  bot: Bot
  remove: BotActions['remove']
  onClose: () => void
}

/** Asks once before a bot and its history are gone. */
export const DeleteBotDialog = ({ bot, remove, onClose }: DeleteBotDialogProps) => (
  <ConfirmDialog
    title="Delete Trading Bot?"
    text="This action cannot be undone. All bot data and trade history will be deleted."
    subject={`${bot.name} · ${formatMoneyUnit(bot.currentBalance, 'USDT')} · ${formatCounted(bot.totalTrades, 'trade')}${
      bot.status === 'active' ? ' · it is stopped first' : ''
    }`}
    confirmLabel="Delete"
    onConfirm={() => remove.mutate({ params: { id: bot.id } }, { onSuccess: onClose })}
    onClose={onClose}
    busy={remove.isPending}
    error={remove.error === null ? undefined : errorText(remove.error, 'The bot could not be deleted.')}
  />
)
