import { createTransport } from 'nodemailer'
import { type Answer, fullLink, type Message, type NotificationChannel, PATIENCE_MS } from './channel.ts'
import type { MailOutlet } from './outlets.ts'

/** What a mail server said no with: `550 5.1.1 no such user`. */
interface SmtpRefusal extends Error {
  readonly responseCode?: number
  readonly response?: string
}

const transportOf = ({ host, port, security, username, password }: MailOutlet, patienceMs: number) =>
  createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(username !== '' && { auth: { user: username, pass: password } }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    // Messages are text alone: nothing of ours is read from a file or fetched for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  })

export interface Letter {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends one letter by SMTP. Its Message-ID is of its id: a server that sees it twice may drop the second. Throws without an answer within `patienceMs`. */
export async function sendMail(
  outlet: MailOutlet,
  { id, to, subject, text }: Letter,
  patienceMs = PATIENCE_MS,
): Promise<Answer> {
  const transport = transportOf(outlet, patienceMs)
  try {
    const { response } = await transport.sendMail({
      from: { name: 'Shapecast', address: outlet.from },
      // As an object, so that nothing in it is read as a second address.
      to: { name: '', address: to },
      subject: subject.replace(/\s+/g, ' '),
      text,
      messageId: `<${id}@${outlet.from.split('@')[1]}>`,
    })
    return { isTaken: true, words: response }
  } catch (error) {
    const { responseCode, response, message } = error as SmtpRefusal
    if (responseCode === undefined) throw error
    return { isTaken: false, words: response ?? message }
  } finally {
    transport.close()
  }
}

export const mailChannel = (outlet: MailOutlet): NotificationChannel => ({
  send: ({ id, title, text, link }: Message, to) => {
    const parts = [
      text,
      fullLink(outlet.publicUrl, link),
      `What you are told: ${outlet.publicUrl}/settings/notifications`,
    ]
    return sendMail(outlet, { id, to: to.address, subject: title, text: parts.filter(Boolean).join('\n\n') })
  },
})
