import { AppError } from '@shapecast/contracts/errors'

const MOST_COMMON = 10_000
let known: Promise<ReadonlySet<string>> | undefined

/** The commonest passwords of published leaks, which the package has in the order of how common they are. */
async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].slice(0, MOST_COMMON))
}

/** Throws `bad_input` for `field` where the password is one of the 10,000 that are guessed first, in whatever case. */
export async function refuseCommonPassword(password: string, field: string): Promise<void> {
  known ??= readCommonPasswords()
  if ((await known).has(password.trim().toLowerCase()))
    throw new AppError('bad_input', 'This password is one of the first that are guessed. Choose another one.', {
      field,
    })
}
