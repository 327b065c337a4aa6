import type { OutletStore, Outlets } from '@shapecast/platform/channels/outlets'
import { type CallTelegram, sayInChat, TelegramRefusal, telegramApi } from '@shapecast/platform/channels/telegram'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { channelLinks, installation, receivers } from '@shapecast/platform/tables'
import { and, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { hashOfCode } from '../ground/one-time-code.ts'
import { findUserById, publicUser } from '../users/user-store.ts'
import { connect } from './channel-service.ts'
import { CHAT_ADDRESS, type ChatCommands } from './chat-commands.ts'

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

export interface TelegramChatDeps {
  db: Database
  outlets: Pick<OutletStore, 'read'>
  obey: ChatCommands
  /** Whether somebody may do nothing until they have set up a second factor. */
  isLimited(userId: string, role: 'user' | 'bot_manager' | 'admin'): Promise<boolean>
  log: Logger
  now(): number
}

/** Takes what people write to the bot of the installation: codes that link a chat, and commands from a chat that is linked. */
export function createTelegramChat(deps: TelegramChatDeps) {
  const { db, outlets, obey, isLimited, log, now } = deps
  const { orm } = db
  let restUntilMs = 0

  /** Links a chat to the user whose code it sent; null where the text is no code that holds. */
  async function link({ chat, from, text }: Incoming): Promise<string | null> {
    const code = /^(?:\/start(?:@\w+)?\s+)?([\w-]{16,30})$/.exec(text?.trim() ?? '')?.[1]
    if (code === undefined) return null
    return orm.transaction(async (tx) => {
      const which = and(
        eq(channelLinks.channel, 'telegram'),
        eq(channelLinks.codeHash, hashOfCode(code)),
        gt(channelLinks.expiresAtMs, now()),
      )
      const [taken] = await tx.delete(channelLinks).where(which).returning()
      if (taken === undefined)
        return 'This code is wrong, was used already or has run out. Ask for a new one in Settings, Notifications.'
      const user = await findUserById(tx, taken.userId)
      if (user === undefined || user.disabledAt !== null) return 'This account is gone or disabled.'
      const url = String(chat.id)
      const [other] = await tx
        .select()
        .from(receivers)
        .where(and(eq(receivers.channel, 'telegram'), eq(receivers.url, url)))
      if (other !== undefined && other.userId !== user.id)
        return 'This chat is connected to another account. Disconnect it there first.'
      const name = from?.username === undefined ? (from?.first_name ?? url) : `@${from.username}`
      const member = { userId: user.id, role: publicUser(user).role, address: CHAT_ADDRESS }
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
    const [to] = await orm
      .select()
      .from(receivers)
      .where(and(eq(receivers.channel, 'telegram'), eq(receivers.url, String(chat.id))))
    if (to === undefined) return 'I do not know this chat. Connect it in Shapecast, Settings, Notifications.'
    const user = await findUserById(orm, to.userId)
    if (user === undefined || user.disabledAt !== null || user.deletesAtMs !== null)
      return 'This account is gone or disabled.'
    const { id: userId, role } = publicUser(user)
    if (!to.takesCommands) return 'Commands from this chat are off. Allow them in Shapecast, Settings, Notifications.'
    if (await isLimited(userId, role))
      return 'Your role needs two-factor authentication. Set it up in Settings, Security.'
    if (now() - date * 1_000 > STALE_MS)
      return 'That is more than five minutes old, so nothing was done. Send it again.'
    return obey({ userId, role }, text ?? '')
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
    const [row] = await orm.select().from(installation).where(eq(installation.key, OFFSET))
    const kept = row?.value as { bot: string; next: number } | undefined
    return kept?.bot === bot ? kept.next : 0
  }

  async function keepOffset(bot: string, next: number): Promise<void> {
    const value = { bot, next }
    await orm
      .insert(installation)
      .values({ key: OFFSET, value })
      .onConflictDoUpdate({ target: installation.key, set: { value } })
  }

  async function take(telegram: NonNullable<Outlets['telegram']>): Promise<void> {
    const call = telegramApi(telegram)
    const offset = await offsetOf(telegram.bot)
    const found = await call('getUpdates', { offset, timeout: 0, allowed_updates: ['message'] })
    for (const update of z.array(Update).parse(found)) {
      // Written down first: a command that broke the process off is not carried out once more.
      await keepOffset(telegram.bot, update.update_id + 1)
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
