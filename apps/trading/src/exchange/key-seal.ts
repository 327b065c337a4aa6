import { createHmac } from 'node:crypto'
import type { ExchangeKeys } from '@shapecast/contracts/exchange-keys'
import { createSeal, derivedKey } from '@shapecast/platform/seal'

/** Whose keys, and of what: sealed keys open for nobody and nothing else. */
export interface KeyOwner {
  readonly userId: string
  readonly venue: string
  readonly network: string
}

const nameOf = ({ userId, venue, network }: KeyOwner): string => JSON.stringify([userId, venue, network])

/** Encrypts API keys, bound to their owner. */
export function createKeySeal(secretKey: string) {
  const { seal, open } = createSeal(secretKey, 'exchange-keys')
  const markKey = derivedKey(secretKey, 'exchange-key-marks')
  return {
    seal: (keys: ExchangeKeys, owner: KeyOwner): string => seal(JSON.stringify(keys), nameOf(owner)),

    /** Null where they were sealed with another SECRET_KEY or for another owner, or were changed since. */
    open(sealed: string, owner: KeyOwner): ExchangeKeys | null {
      const text = open(sealed, nameOf(owner))
      return text === null ? null : (JSON.parse(text) as ExchangeKeys)
    },

    /** The same for the same account or API key, and telling nothing of it. */
    mark: (of: string): string => createHmac('sha256', markKey).update(of).digest('hex').slice(0, 32),
  }
}
export type KeySeal = ReturnType<typeof createKeySeal>
