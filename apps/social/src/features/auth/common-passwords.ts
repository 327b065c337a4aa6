import { createRequire } from 'node:module'
import { AppError } from '@shapecast/contracts/errors'

const MOST_COMMON = 10_000
let known: ReadonlySet<string> | undefined

/** The commonest passwords of published leaks, in the order of how common they are. Read when first asked for. */
function commonPasswords(): ReadonlySet<string> {
  if (known !== undefined) return known
  const { dictionary } = createRequire(import.meta.url)('@zxcvbn-ts/language-common') as {
    dictionary: { 'passwords-common': string[] }
  }
  known = new Set(dictionary['passwords-common'].slice(0, MOST_COMMON))
  return known
}

/** Throws `bad_input` for `field` where the password is one of the 10,000 that are guessed first, in whatever case. */
export function refuseCommonPassword(password: string, field: string): void {
  if (commonPasswords().has(password.trim().toLowerCase()))
    throw new AppError('bad_input', 'This password is one of the first that are guessed. Choose another one.', {
      field,
    })
}
