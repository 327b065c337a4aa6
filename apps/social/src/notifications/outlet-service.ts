import { AppError } from '@shapecast/contracts/errors'
import type { MailDraft } from '@shapecast/contracts/outlets'
import { recordAudit } from '@shapecast/platform/audit'
import { sendMail as sendBySmtp } from '@shapecast/platform/channels/mail'
import type { MailOutlet, OutletStore } from '@shapecast/platform/channels/outlets'
import { failureWords } from '@shapecast/platform/channels/send-deliveries'
import { telegramApi } from '@shapecast/platform/channels/telegram'
import type { Database } from '@shapecast/platform/database/database'
import { newId } from '@shapecast/platform/database/new-id'
import type { Member } from '@shapecast/platform/sessions'
import { z } from 'zod'
import { findUserById } from '../users/user-store.ts'

export interface OutletServiceDeps {
  db: Database
  outlets: OutletStore
}

/** What getMe answers (core.telegram.org/bots/api#getme), as far as it is used. */
const Me = z.object({ username: z.string() })

const subjectOf = (id: 'mail' | 'telegram') => ({ type: 'installation', id })
const withoutPassword = ({ password: _, ...mail }: MailOutlet) => mail

/** The mail server and the Telegram bot of the installation: an admin sets them, once they answer. */
export function createOutletService({ db, outlets }: OutletServiceDeps) {
  const { orm } = db
  return {
    async read() {
      const { mail, telegram } = await outlets.read()
      return {
        mail: mail && { ...withoutPassword(mail), hasPassword: mail.password !== '' },
        telegram: telegram?.bot ?? null,
      }
    },

    /** Throws `unprocessable` in the server's own words where it does not take a test message. */
    async setMail(member: Member, draft: MailDraft): Promise<string> {
      const { mail: before } = await outlets.read()
      // A password goes only where it was typed for: another server never gets to see the stored one.
      const isSame = before?.host === draft.host && before.username === draft.username
      const mail = { ...draft, password: draft.password ?? (isSame ? before.password : '') }
      const user = await findUserById(orm, member.userId)
      const letter = {
        id: newId(),
        to: user!.email,
        subject: 'A test from Shapecast',
        text: `This installation sends its mail by ${mail.host} now.`,
      }
      const answer = await sendBySmtp(mail, letter).catch((error: unknown) => ({
        isTaken: false,
        words: failureWords(error),
      }))
      if (!answer.isTaken)
        throw new AppError('unprocessable', `The mail server did not take a test message: ${answer.words}`)
      await orm.transaction(async (tx) => {
        await outlets.setMail(tx, mail)
        await recordAudit(tx, member, {
          action: 'mail.set',
          subject: subjectOf('mail'),
          before: before && withoutPassword(before),
          after: withoutPassword(mail),
        })
      })
      return answer.words
    },

    /** Throws `unprocessable` where Telegram does not know the token. */
    async setTelegram(member: Member, outlet: { token: string; apiUrl: string }): Promise<string> {
      const { telegram: before } = await outlets.read()
      const { username: bot } = await telegramApi(outlet)('getMe').then(
        (me) => Me.parse(me),
        (error: unknown) => {
          throw new AppError('unprocessable', `Telegram did not take this token: ${failureWords(error)}.`, {
            field: 'token',
          })
        },
      )
      await orm.transaction(async (tx) => {
        await outlets.setTelegram(tx, { ...outlet, bot })
        await recordAudit(tx, member, {
          action: 'telegram.set',
          subject: subjectOf('telegram'),
          before: before && { bot: before.bot },
          after: { bot },
        })
      })
      return bot
    },

    async forget(member: Member, name: 'mail' | 'telegram'): Promise<void> {
      await orm.transaction(async (tx) => {
        await outlets.forget(tx, name)
        await recordAudit(tx, member, { action: `${name}.forgotten`, subject: subjectOf(name) })
      })
    },
  }
}
export type OutletService = ReturnType<typeof createOutletService>
