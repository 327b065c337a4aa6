import webPush from 'web-push'
import { z } from 'zod'
import type { Answer, NotificationChannel } from './channel.ts'
import type { PushOutlet } from './outlets.ts'
import { postBytes } from './post-message.ts'

/** A browser that takes notifications. Where it does so is its secret: anyone who knows it could send there. */
export const Browser = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
  name: z.string(),
})
export type Browser = z.infer<typeof Browser>

/** The browsers of a person, as they are kept sealed. */
export const browsersOf = (secret: string): Browser[] =>
  secret === '' ? [] : z.array(Browser).parse(JSON.parse(secret))

const KEPT_S = 86_400
/** A push service has dropped the subscription: 404 and 410 of RFC 8030, 7.3. */
const isDropped = (status: number) => status === 404 || status === 410
const isTaken = (status: number) => status >= 200 && status < 300

/**
 * Messages to a person's browsers, encrypted for each (RFC 8291). Taken once one of them took it: the others would get it
 * again. Browsers that are gone are dropped.
 */
export const pushChannel = ({ publicKey, privateKey }: PushOutlet, publicUrl: string | null): NotificationChannel => ({
  async send({ id, title, text, link }, to): Promise<Answer> {
    const browsers = browsersOf(to.secret)
    const payload = JSON.stringify({ id, title, text, link })
    const sent = await Promise.allSettled(
      browsers.map((browser) => {
        const { endpoint, headers, body } = webPush.generateRequestDetails(browser, payload, {
          vapidDetails: {
            subject: publicUrl?.startsWith('https:') ? publicUrl : 'mailto:admin@localhost',
            publicKey,
            privateKey,
          },
          TTL: KEPT_S,
        })
        return postBytes({
          url: endpoint,
          headers: headers as Record<string, string>,
          body: body!,
          allowPrivate: to.allowPrivate,
        })
      }),
    )
    const statuses = sent.map((one) => (one.status === 'fulfilled' ? one.value : null))
    const left = browsers.filter((_, i) => !isDropped(statuses[i] ?? 0))
    const words = sent.map((one) => (one.status === 'fulfilled' ? String(one.value) : messageOf(one.reason))).join(', ')
    return {
      isTaken: statuses.some((status) => status !== null && isTaken(status)),
      words: words === '' ? 'no browser' : words,
      isGone: left.length === 0,
      ...(left.length < browsers.length && { secret: JSON.stringify(left) }),
    }
  },
})

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'no answer')
