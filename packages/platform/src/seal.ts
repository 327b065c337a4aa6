import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** 32 bytes of a purpose of their own, that HKDF-SHA-256 (RFC 5869) derives from the SECRET_KEY. */
export const derivedKey = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))

/**
 * Encrypts text with AES-256-GCM under a key derived for `purpose`, bound to its owner as additional data: sealed text
 * opens for nobody and nothing else. The sealed form is base64 of nonce, tag and text.
 */
export function createSeal(secretKey: string, purpose: string) {
  const key = derivedKey(secretKey, purpose)
  return {
    seal(text: string, owner: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },

    /** Null where it was sealed with another SECRET_KEY or for another owner, or was changed since. */
    open(sealed: string, owner: string): string | null {
      const bytes = Buffer.from(sealed, 'base64')
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      if (tag.length < TAG_BYTES) return null
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(owner))
      decipher.setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
      } catch {
        return null
      }
    },
  }
}
