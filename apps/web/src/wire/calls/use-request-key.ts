import { useState } from 'react'

/** 128 random bits. `crypto.randomUUID` is there on HTTPS alone. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-')

/**
 * An Idempotency-Key for what one form or dialog sends: pressed twice, or again after a lost answer, it is done once.
 * `renew` before it sends something else.
 */
export function useRequestKey(): { key: string; renew: () => void } {
  const [key, setKey] = useState(newKey)
  return { key, renew: () => setKey(newKey()) }
}
