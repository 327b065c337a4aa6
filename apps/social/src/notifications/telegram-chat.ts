import type { TelegramOutlet } from '@shapecast/platform/channels/outlets'
import { type CallTelegram, sayInChat, TelegramRefusal, telegramApi } from '@shapecast/platform/channels/telegram'
import type { Orm } from '@shapecast/platform/database/database'
import { keep, readKept } from '@shapecast/platform/kept'
import { receivers } from '@shapecast/platform/tables'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Social } from '../ground/social.ts'
import { lacksSecondFactor } from '../proof/second-factor.ts'
import { findUserById } from '../users/user-store.ts'
import { connect } from './channel-service.ts'
import { CHAT_ADDRESS, type ChatGround, createChatCommands } from './chat-commands.ts'
import { takeLink } from './connect-channels.ts'

/** The next update that was not handled yet, for each bot. */
const OFFSET = 'telegram-offset'
/** A command that waited longer is not carried out: it was meant for another moment. */
const STALE_MS = 5 * 60_000

/** What getUpdates answers (core.telegram.org/bots/api#update), as far as it is used. */
const Update = z.object({
  update_id: z.number().int(),
  message: z
    .object({
      date: z.number(),
      text: z.string().optional(),
      chat: z.object({ id: z.number(), type: z.string() }),
      from: z.object({ id: z.number(), username: z.string().optional(), first_name: z.string() }).optional(),
    })
    .optional(),
})
type Incoming = NonNullable<z.infer<typeof Update>['message']>

async function receiverOfChat(orm: Orm, chatId: number) {
  const which = and(eq(receivers.channel, 'telegram'), eq(receivers.url, String(chatId)))
  const [row] = await orm.select().from(receivers).where(which)
  return row
}

/**
 * Takes what people write to the bot of the installation: codes that link a chat, and commands from a chat that is linked,
 * with the rights and the second factor of its user.
 */
export function openChat(ground: ChatGround & Pick<Social, 'outlets'>) {
  const { db, log, outlets, now } = ground
  const { orm } = db
  const obey = createChatCommands(ground)
  let restUntilMs = 0

  /** Links a chat to the user whose code it sent; null where the text is no code that holds. */
  async function link({ chat, from, text }: Incoming): Promise<string | null> {
    const code = /^(?:\/start(?:@\w+)?\s+)?([\w-]{16,30})$/.exec(text?.trim() ?? '')?.[1]
    if (code === undefined) return null
    return orm.transaction(async (tx) => {
      const taken = await takeLink(tx, 'telegram', code, now())
      if (taken === undefined)
        return 'This code is wrong, was used already or has run out. Ask for a new one in Settings, Notifications.'
      const user = await findUserById(tx, taken.userId)
      if (user === undefined || user.disabledAt !== null) return 'This account is gone or disabled.'
      const url = String(chat.id)
      const other = await receiverOfChat(tx, chat.id)
      if (other !== undefined && other.userId !== user.id)
        return 'This chat is connected to another account. Disconnect it there first.'
      const name = from?.username === undefined ? (from?.first_name ?? url) : `@${from.username}`
      const member = { userId: user.id, role: user.role, address: CHAT_ADDRESS }
      await connect(tx, member, 'telegram', { url, name }, now())
      return `Connected to ${user.username} of Shapecast. You are told here what you choose in Settings, Notifications; there you also allow commands.`
    })
  }

  async function answerTo(message: Incoming): Promise<string | null> {
    const { chat, from, text, date } = message
    // A group is many people, and somebody else's message in a chat is not its owner's.
    if (chat.type !== 'private' || from?.id !== chat.id) return null
    const linked = await link(message)
    if (linked !== null) return linked
    const to = await receiverOfChat(orm, chat.id)
    if (to === undefined) return 'I do not know this chat. Connect it in Shapecast, Settings, Notifications.'
    const user = await findUserById(orm, to.userId)
    if (user === undefined || user.disabledAt !== null || user.deletesAtMs !== null)
      return 'This account is gone or disabled.'
    const member = { userId: user.id, role: user.role, address: CHAT_ADDRESS }
    if (!to.takesCommands) return 'Commands from this chat are off. Allow them in Shapecast, Settings, Notifications.'
    if (await lacksSecondFactor(orm, user.id, user.role))
      return 'Your role needs two-factor authentication. Set it up in Settings, Security.'
    if (now() - date * 1_000 > STALE_MS)
      return 'That is more than five minutes old, so nothing was done. Send it again.'
    return obey(member, text ?? '')
  }

  async function handle(call: CallTelegram, message: Incoming): Promise<void> {
    const answer = await answerTo(message).catch((error: unknown) => {
      log.error({ err: error }, 'a command by Telegram failed')
      return 'That failed. The log of the server has why.'
    })
    if (answer === null) return
    await sayInChat(call, String(message.chat.id), answer).catch((error: unknown) =>
      log.warn({ err: error }, 'an answer by Telegram was not taken'),
    )
  }

  async function offsetOf(bot: string): Promise<number> {
    const kept = (await readKept(orm, OFFSET)) as { bot: string; next: number } | undefined
    return kept?.bot === bot ? kept.next : 0
  }

  async function take(telegram: TelegramOutlet): Promise<void> {
    const call = telegramApi(telegram)
    const offset = await offsetOf(telegram.bot)
    const found = await call('getUpdates', { offset, timeout: 0, allowed_updates: ['message'] })
    for (const update of z.array(Update).parse(found)) {
      // Written down first: a command that broke the process off is not carried out once more.
      await keep(orm, OFFSET, { bot: telegram.bot, next: update.update_id + 1 })
      if (update.message !== undefined) await handle(call, update.message)
    }
  }

  return {
    /** Takes what has come since the last time, in one process at a time. */
    async poll(): Promise<void> {
      if (now() < restUntilMs) return
      const { telegram } = await outlets.read()
      if (telegram === null) return
      await db.locks.alone('telegram', () =>
        take(telegram).catch((error: unknown) => {
          if (error instanceof TelegramRefusal) restUntilMs = now() + Math.max(error.waitMs, 30_000)
          throw error
        }),
      )
    },
  }
}
