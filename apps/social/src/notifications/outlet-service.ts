import { AppError } from '@shapecast/contracts/errors'
import type { MailDraft } from '@shapecast/contracts/outlets'
import { recordAudit } from '@shapecast/platform/audit'
import { sendMail } from '@shapecast/platform/channels/mail'
import type { MailOutlet } from '@shapecast/platform/channels/outlets'
import { failureWords } from '@shapecast/platform/channels/send-deliveries'
import { telegramApi } from '@shapecast/platform/channels/telegram'
import { newId } from '@shapecast/platform/database/new-id'
import type { Member } from '@shapecast/platform/sessions'
import { z } from 'zod'
import type { Social } from '../ground/social.ts'
import { findUserById } from '../users/user-store.ts'

// The mail server and the Telegram bot of the installation: an admin sets them, once they answer.

/** What getMe answers (core.telegram.org/bots/api#getme), as far as it is used. */
const Me = z.object({ username: z.string() })

const subjectOf = (id: 'mail' | 'telegram') => ({ type: 'installation', id })
const withoutPassword = ({ password: _, ...mail }: MailOutlet) => mail

export async function readOutlets({ outlets }: Social) {
  const { mail, telegram } = await outlets.read()
  return {
    mail: mail && { ...withoutPassword(mail), hasPassword: mail.password !== '' },
    telegram: telegram?.bot ?? null,
  }
}

/** Throws `unprocessable` in the server's own words where it does not take a test message. */
export async function setMail({ db: { orm }, outlets }: Social, member: Member, draft: MailDraft) {
  const { mail: before } = await outlets.read()
  // A password goes only where it was typed for: another server never gets to see the stored one.
  const isSame = before?.host === draft.host && before.username === draft.username
  const mail = { ...draft, password: draft.password ?? (isSame ? before.password : '') }
  const user = await findUserById(orm, member.userId)
  const text = `This installation sends its mail by ${mail.host} now.`
  const letter = { id: newId(), to: user!.email, subject: 'A test from Shapecast', text }
  const answer = await sendMail(mail, letter).catch((error: unknown) => ({
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
  return { words: answer.words }
}

/** Throws `unprocessable` where Telegram does not know the token. */
export async function setTelegram(
  { db, outlets }: Social,
  member: Member,
  outlet: { token: string; apiUrl: string },
): Promise<{ bot: string }> {
  const { telegram } = await outlets.read()
  const said = await telegramApi(outlet)('getMe').catch((error: unknown) => {
    const text = `Telegram did not take this token: ${failureWords(error)}.`
    throw new AppError('unprocessable', text, { field: 'token' })
  })
  const { username: bot } = Me.parse(said)
  await db.orm.transaction(async (tx) => {
    await outlets.setTelegram(tx, { ...outlet, bot })
    const before = telegram && { bot: telegram.bot }
    await recordAudit(tx, member, { action: 'telegram.set', subject: subjectOf('telegram'), before, after: { bot } })
  })
  return { bot }
}

export const forgetOutlet = ({ db, outlets }: Social, member: Member, name: 'mail' | 'telegram'): Promise<void> =>
  db.orm.transaction(async (tx) => {
    await outlets.forget(tx, name)
    await recordAudit(tx, member, { action: `${name}.forgotten`, subject: subjectOf(name) })
  })
