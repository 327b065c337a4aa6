import { z } from 'zod'
import { type Answer, fullLink, type NotificationChannel, PATIENCE_MS } from './channel.ts'
import type { TelegramOutlet } from './outlets.ts'

/** What every call is answered with (core.telegram.org/bots/api, Making requests). */
const Reply = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
})

/** Telegram said no. */
export class TelegramRefusal extends Error {
  override readonly name = 'TelegramRefusal'
  readonly code: number
  /** Before so long it takes no call, ms. */
  readonly waitMs: number

  constructor({ error_code = 0, description = 'no reason given', parameters }: z.infer<typeof Reply>) {
    super(`${error_code} ${description}`)
    this.code = error_code
    this.waitMs = (parameters?.retry_after ?? 0) * 1_000
  }
}

export type CallTelegram = (method: string, body?: object) => Promise<unknown>

/** Calls of the Bot API by a bot's token. Throws `TelegramRefusal`, or what says that no answer came, never with the token in it. */
export const telegramApi =
  ({ token, apiUrl }: Omit<TelegramOutlet, 'bot'>): CallTelegram =>
  async (method, body = {}) => {
    const response = await fetch(`${apiUrl}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((error: unknown) => {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      throw new Error(isLate ? 'no answer within 10 s' : 'Telegram cannot be reached', { cause: causeOf(error) })
    })
    const reply = Reply.safeParse(await response.json().catch(() => null))
    if (!reply.success) throw new Error(`${response.status}, and no answer of Telegram's`)
    if (!reply.data.ok) throw new TelegramRefusal(reply.data)
    return reply.data.result
  }

/** Why a connection failed, without the address: the token stands in it. */
const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

export const sayInChat = (call: CallTelegram, chatId: string, text: string): Promise<unknown> =>
  call('sendMessage', { chat_id: chatId, text: text.slice(0, 4_000), link_preview_options: { is_disabled: true } })

/** The person has blocked the bot, or the chat is no more. */
const isGone = (code: number) => code === 403

export const telegramChannel = (
  outlet: TelegramOutlet,
  publicUrl: string | null,
  call = telegramApi(outlet),
): NotificationChannel => ({
  async send({ title, text, link }, to): Promise<Answer> {
    const parts = [title, text, fullLink(publicUrl, link)]
    try {
      await sayInChat(call, to.address, parts.filter(Boolean).join('\n'))
      return { isTaken: true, words: '200' }
    } catch (error) {
      if (!(error instanceof TelegramRefusal)) throw error
      const { message, code, waitMs } = error
      return { isTaken: false, words: message, waitMs, isGone: isGone(code) }
    }
  },
})
