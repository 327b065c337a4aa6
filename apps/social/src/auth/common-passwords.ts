import { AppError } from '@shapecast/contracts/errors'

const MOST_COMMON = 10_000
let known: Promise<ReadonlySet<string>> | undefined

/** The commonest passwords of published leaks, which the package has in the order of how common they are. */
async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].slice(0, MOST_COMMON))
}

/** The product's name, and what somebody thinks of first in front of it. */
const OF_THE_PRODUCT =
  /^(?:shape|cast|trad(?:e|er|es|ing)|bot|bots|crypto|coin|coins|bit|btc|ether|ethereum|eth|usdt|money|market|model|admin|user|password|pass|login|test|demo)+$/
/** One to three characters again and again. */
const REPEATED = /^(.{1,3})\1+$/u

/** `abcdef`, `987654`: each character the one after, or before, the last. */
function isSequence(text: string): boolean {
  const steps = new Set(Array.from(text.slice(1), (char, i) => char.charCodeAt(0) - text.charCodeAt(i)))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, '')

/** Whether somebody who knows the product and the account's names tries this among the first. */
function isObvious(password: string, names: readonly string[]): boolean {
  const letters = lettersOf(password)
  return (
    REPEATED.test(password) ||
    isSequence(password) ||
    OF_THE_PRODUCT.test(letters) ||
    names.some((name) => password === name.toLowerCase() || (letters !== '' && letters === lettersOf(name)))
  )
}

/**
 * Throws `bad_input` for `field` where the password is one of the 10,000 that are guessed first, a repetition, a
 * sequence, words of the product, or one of the account's names, with any digits and in any case.
 */
export async function refuseCommonPassword(
  password: string,
  field: string,
  owner?: { username: string; email: string },
): Promise<void> {
  known ??= readCommonPasswords()
  const bare = password.trim().toLowerCase()
  const names = owner === undefined ? [] : [owner.username, owner.email, owner.email.split('@')[0]!]
  if ((await known).has(bare) || isObvious(bare, names))
    throw new AppError('bad_input', 'This password is one of the first that are guessed. Choose another one.', {
      field,
    })
}
