import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Letters and digits that nobody takes for each other (Crockford's base 32). */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'

/** The code for the first account: 50 bits of the installation's key, the same in every process of it. */
export function firstAccountCode(secretKey: string): string {
  const bytes = new Uint8Array(hkdfSync('sha256', secretKey, '', 'shapecast first account', 10))
  const letters = Array.from(bytes, (byte) => LETTERS[byte % 32]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

export function isFirstAccountCode(secretKey: string, given: string): boolean {
  const wanted = Buffer.from(firstAccountCode(secretKey))
  const said = Buffer.from(given.toLowerCase())
  return said.length === wanted.length && timingSafeEqual(said, wanted)
}

const FORWARDED = ['x-forwarded-for', 'x-real-ip', 'forwarded']

/** Whether a request comes from this very machine, by no proxy that we know or do not know of. */
export function isFromThisMachine({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): boolean {
  const address = ip.replace(/^::ffff:/, '')
  const isLoopback = address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
  return isLoopback && FORWARDED.every((name) => headers[name] === undefined)
}
