import { randomBytes } from 'node:crypto'

/** Milliseconds of the newest id, with a counter in the 12 bits below. */
let newest = 0n

/**
 * A UUID of version 7 (RFC 9562, method 1 with a counter): ids of one process are in the order of their making, also
 * when its clock is set back.
 */
export function newId(): string {
  const now = BigInt(Date.now()) << 12n
  newest = now > newest ? now : newest + 1n
  const head = newest.toString(16).padStart(15, '0')
  const random = randomBytes(8)
  random[0] = (random[0]! & 0x3f) | 0x80
  const tail = random.toString('hex')
  return `${head.slice(0, 8)}-${head.slice(8, 12)}-7${head.slice(12)}-${tail.slice(0, 4)}-${tail.slice(4)}`
}
