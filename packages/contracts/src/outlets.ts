import { z } from 'zod'
import { Email } from './auth.ts'
import { socialEndpoint } from './endpoint.ts'
import { notificationSettings } from './notifications.ts'
import { registrationMode } from './own-account.ts'

/** How the connection to the mail server is encrypted: from the start, from STARTTLS on (required), or never. */
export const MAIL_SECURITY = ['tls', 'starttls', 'none'] as const

/** A host by its name or address, without scheme, port or path. */
const Host = z
  .string()
  .trim()
  .min(1, 'A host is required')
  .max(253)
  .regex(/^[\w.:-]+$/, 'must be the name or the address of a server, such as smtp.example.org')

/** The origin that links in messages lead to. */
export const PublicUrl = z
  .string()
  .trim()
  .max(200)
  .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), 'must be an http or https address')
  .transform((url) => new URL(url).origin)

const Mail = z.object({
  host: Host,
  port: z
    .number('must be a port number')
    .int()
    .min(1, 'must be from 1 to 65535')
    .max(65_535, 'must be from 1 to 65535'),
  security: z.enum(MAIL_SECURITY),
  /** Empty where the server asks for none. */
  username: z.string().trim().max(200),
  /** What messages say that they come from. */
  from: Email,
  /** Where this installation is reached: links in messages lead there, whatever address a request came to. */
  publicUrl: PublicUrl,
})
export const MailDraft = Mail.extend({
  /** Left out, the one that is stored stays. */
  password: z.string().max(500).optional(),
})
export type MailDraft = z.infer<typeof MailDraft>

export const outlets = socialEndpoint('GET /api/outlets', {
  summary: 'The mail server and the Telegram bot of this installation, without their secrets.',
  access: 'admin',
  reply: z.object({
    mail: Mail.extend({ hasPassword: z.boolean() }).nullable(),
    /** Its name. */
    telegram: z.string().nullable(),
  }),
})

/** Where bots are asked for, unless an installation runs a Bot API server of its own. */
export const TELEGRAM_API = 'https://api.telegram.org'

const touches = [outlets, notificationSettings, registrationMode]

export const setMail = socialEndpoint('POST /api/outlets/mail', {
  summary:
    'Set the mail server of this installation, once it lets us in and has taken a test message to the caller. It may be in a private network: only an admin names it. Passwords are reset by mail from then on.',
  access: 'admin',
  touches,
  proof: 'always',
  body: MailDraft,
  /** What the server said of the test message. */
  reply: z.object({ words: z.string() }),
  errors: ['unprocessable'],
})

export const forgetMail = socialEndpoint('DELETE /api/outlets/mail', {
  summary: 'Forget the mail server: nothing is sent by mail any more.',
  access: 'admin',
  touches,
})

export const setTelegram = socialEndpoint('POST /api/outlets/telegram', {
  summary: 'Set the Telegram bot of this installation by the token that @BotFather gave, once Telegram knows it.',
  access: 'admin',
  touches,
  proof: 'always',
  body: z.object({
    token: z
      .string()
      .trim()
      .regex(/^\d{1,20}:[\w-]{20,100}$/, 'must be a token of @BotFather, such as 123456:AbC…'),
    apiUrl: PublicUrl.default(TELEGRAM_API),
  }),
  reply: z.object({ bot: z.string() }),
  errors: ['unprocessable'],
})

export const forgetTelegram = socialEndpoint('DELETE /api/outlets/telegram', {
  summary: 'Forget the Telegram bot: nothing is sent by it, and no command is taken, any more.',
  access: 'admin',
  touches,
})
