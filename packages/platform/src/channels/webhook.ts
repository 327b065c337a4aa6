import { createHmac } from 'node:crypto'
import type { Message, NotificationChannel } from './channel.ts'
import { postBytes } from './post-message.ts'
import { isPublicAddress, literalAddress, REFUSED_ADDRESS } from './public-address.ts'

/**
 * The body of a message. Slack's bridges read `text`, Discord's `content`; what others wrote in it calls nobody there:
 * Slack's `<!channel>` and `<@user>` are broken up, and Discord is told to parse no mentions.
 */
const bodyOf = ({ id, kind, title, text, link, createdAtMs }: Message): string => {
  const line = text === '' ? title : `${title}\n${text}`
  return JSON.stringify({
    id,
    kind,
    title,
    message: text,
    link,
    at: createdAtMs,
    text: line.replace(/<(?=[!@#])/g, '< '),
    content: line,
    allowed_mentions: { parse: [] },
  })
}

/** The value of the header Shapecast-Signature: the time in seconds, and the HMAC-SHA-256 of time, point and body. */
export function signatureOf(secret: string, body: string, atMs: number): string {
  const seconds = Math.floor(atMs / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/** Why messages may not go to an address that a person gave; null where they may. */
export function webhookRefusal(url: URL, allowPrivate: boolean): string | null {
  const literal = literalAddress(url)
  const isLocal = url.hostname === 'localhost' || (literal !== null && !isPublicAddress(literal))
  return isLocal && !allowPrivate ? REFUSED_ADDRESS : null
}

/** Signed messages to an address of the person's own. */
export const webhook: NotificationChannel = {
  async send(message, { address, secret, allowPrivate }, atMs) {
    const body = bodyOf(message)
    const headers = { 'content-type': 'application/json', 'shapecast-signature': signatureOf(secret, body, atMs) }
    const status = await postBytes({ url: address, headers, body, allowPrivate })
    return { isTaken: status >= 200 && status < 300, words: String(status) }
  },
}
