import type { Bot, BotPosition } from '@shapecast/contracts/bots'
import { REAL_MONEY_WORDS } from '@shapecast/contracts/real-bots'
import type { Member } from '@shapecast/platform/sessions'
import { baseOf, moneyWords, priceWords, profitWords, quantityWords, returnWords } from './amount-words.ts'
import type { BotControl } from './bot-control.ts'
import type { BotService } from './bot-service.ts'
import type { KillSwitch } from './kill-switch.ts'

export interface BotsInChatDeps {
  bots: Pick<BotService, 'list'>
  control: Pick<BotControl, 'pause' | 'stop'>
  killSwitch: Pick<KillSwitch, 'killAs'>
}

const positionWords = ({ symbol, side, quantity, entryPrice, unrealizedPnL }: BotPosition): string =>
  `${side} ${quantityWords(quantity)} ${baseOf(symbol)} from ${priceWords(entryPrice)}, ${profitWords(unrealizedPnL)}`

const stateWords = ({ status, statusReason, isVirtual, currentBalance, initialBalance }: Bot): string => {
  const money = `${moneyWords(currentBalance)}${isVirtual ? '' : ' real money'} (${returnWords(currentBalance / initialBalance - 1)})`
  return `${status}, ${money}${statusReason === null ? '' : `. ${statusReason}`}`
}

/** What a chat may ask about somebody's bots and do to them: look, pause, stop. Who may do it was found out by the caller. */
export const createBotsInChat = ({ bots, control, killSwitch }: BotsInChatDeps) => ({
  /** Somebody's own bots, an admin's too. */
  async botsOf(userId: string) {
    const own = (await bots.list({ userId, role: 'user' })).filter(
      (bot) => bot.userId === userId && !bot.parameters?.temporary,
    )
    return own.map((bot) => ({
      id: bot.id,
      name: bot.name,
      isVirtual: bot.isVirtual,
      state: stateWords(bot),
      positions: bot.positions.map(positionWords),
    }))
  },

  async pause(member: Member, botId: string): Promise<void> {
    await control.pause(botId, member)
  },

  /** Stops a bot and sells what it holds. Throws `unprocessable` where that is real money and `sellsReal` is not given. */
  async stop(member: Member, botId: string, sellsReal: boolean): Promise<void> {
    await control.stop(botId, member, sellsReal ? REAL_MONEY_WORDS : undefined)
  },

  /** The kill switch. That `sells` was proved by the caller. */
  async kill(member: Member, sells: boolean): Promise<void> {
    await killSwitch.killAs(sells, member)
  },
})
