import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { ExchangeKeys } from '@shapecast/contracts/exchange-keys'

/** Whose keys, and of what: sealed keys open for nobody and nothing else. */
export interface KeyOwner {
  readonly userId: string
  readonly venue: string
  readonly network: string
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

const derived = (secretKey: string, context: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', context, 32))
const boundTo = ({ userId, venue, network }: KeyOwner): Buffer => Buffer.from(JSON.stringify([userId, venue, network]))

/**
 * Encrypts API keys with AES-256-GCM under a key that HKDF (RFC 5869) derives from the SECRET_KEY, bound to their
 * owner as additional data. The sealed form is base64 of nonce, tag and text.
 */
export function createKeySeal(secretKey: string) {
  const key = derived(secretKey, 'exchange-keys')
  const markKey = derived(secretKey, 'exchange-key-marks')
  return {
    seal(keys: ExchangeKeys, owner: KeyOwner): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(boundTo(owner))
      const text = Buffer.concat([cipher.update(JSON.stringify(keys), 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')
    },

    /** Null where they were sealed with another SECRET_KEY or for another owner, or were changed since. */
    open(sealed: string, owner: KeyOwner): ExchangeKeys | null {
      const bytes = Buffer.from(sealed, 'base64')
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      if (tag.length < TAG_BYTES) return null
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES)).setAAD(boundTo(owner))
      decipher.setAuthTag(tag)
      let text: string
      try {
        text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
      } catch {
        return null
      }
      return JSON.parse(text) as ExchangeKeys
    },

    /** The same for the same account or API key, and telling nothing of it. */
    mark: (of: string): string => createHmac('sha256', markKey).update(of).digest('hex').slice(0, 32),
  }
}
export type KeySeal = ReturnType<typeof createKeySeal>
