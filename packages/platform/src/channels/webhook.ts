import type { Message, NotificationChannel } from './channel.ts'
import { postMessage } from './post-message.ts'
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

/** Signed messages to an address of the person's own. */
export const webhook: NotificationChannel = {
  refusal(url, allowPrivate) {
    const literal = literalAddress(url)
    const isLocal = url.hostname === 'localhost' || (literal !== null && !isPublicAddress(literal))
    return isLocal && !allowPrivate ? REFUSED_ADDRESS : null
  },
  send: (message, to, atMs) => postMessage({ ...to, body: bodyOf(message), atMs }),
}
