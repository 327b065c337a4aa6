import { z } from 'zod'

/** A name, in one line: nothing invisible, and so nothing that looks like another name or cannot be stored. */
export const PlainName = z
  .string()
  .trim()
  .regex(/^\P{C}*$/u, 'A name has no invisible characters')

/** Text of any kind that PostgreSQL can store: neither halves of characters nor the character 0. */
export const PlainText = z
  .string()
  .trim()
  .regex(/^[^\p{Cs}\0]*$/u, 'This text has characters that cannot be stored')
