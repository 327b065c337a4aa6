import { createHash, randomInt } from 'node:crypto'

/** Without letters and digits that are taken for each other. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 16

/** A code of about 79 random bits that a person can type: `k7fm-2xqp-4htz-9bne`. */
export const makeCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-')

/** What is kept of a code. It has too many random bits for guessing, so a plain hash does. */
export const hashOfCode = (code: string): string =>
  createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest('hex')
