import { useState } from 'react'

/** 128 random bits. `crypto.randomUUID` is there on HTTPS alone. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-')

/**
 * An Idempotency-Key for what one form or dialog sends: pressed twice, or again after a lost answer, it is done once.
 * Another `content` is another request.
 */
export function useRequestKey(content = ''): string {
  const [made, setMade] = useState(() => ({ content, key: newKey() }))
  if (made.content === content) return made.key
  const next = { content, key: newKey() }
  setMade(next)
  return next.key
}
