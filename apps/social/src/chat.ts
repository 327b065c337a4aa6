import { createOutlets } from '@shapecast/platform/channels/outlets'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { createSessions } from '@shapecast/platform/sessions'
import { createAttempts } from './auth/attempts.ts'
import { createConfirmations } from './auth/confirmations.ts'
import { createGuesses } from './auth/guesses.ts'
import { type ChatTrading, createChatCommands } from './notifications/chat-commands.ts'
import { createTelegramChat } from './notifications/telegram-chat.ts'
import { createSecondFactorService } from './second-factor/second-factor-service.ts'

export interface ChatOptions {
  db: Database
  secretKey: string
  log: Logger
  trading: ChatTrading
  now?: () => number
}

/** What takes commands by Telegram, with the rights and the second factor of the user who linked the chat. */
export function openChat({ db, secretKey, log, trading, now = Date.now }: ChatOptions) {
  const guesses = createGuesses({ db, attempts: createAttempts(db.orm, now), log })
  const confirmations = createConfirmations({ db, guesses })
  const sessions = createSessions({ db, secretKey, now })
  const secondFactor = createSecondFactorService({ db, sessions, secretKey, confirmations, now })
  const isOn = (userId: string) => secondFactor.isOn(db.orm, userId)
  const obey = createChatCommands({
    trading,
    hasSecondFactor: isOn,
    requireCode: (member, code) =>
      confirmations.requireCode('code', member, () => secondFactor.take(db.orm, member.userId, code)),
    now,
  })
  return createTelegramChat({
    db,
    outlets: createOutlets(db.orm, secretKey),
    obey,
    isLimited: async (userId, role) => (await secondFactor.isRequired(db.orm, role)) && !(await isOn(userId)),
    log,
    now,
  })
}
