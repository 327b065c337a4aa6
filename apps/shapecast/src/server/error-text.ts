import { z } from 'zod'

/** What the system calls a failure, as an end of a sentence that begins with the file's name. */
const FILE_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'lies in something that is no folder',
  EACCES: 'may not be opened by this user',
  EPERM: 'may not be changed by this user',
  EROFS: 'lies on a disk that can only be read',
}
const NO_ANSWER = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'EAI_AGAIN'])

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** `initialBalance` as the command line writes it: `--initial-balance`. */
const optionOf = (path: readonly PropertyKey[]): string =>
  `--${path
    .map(String)
    .join('.')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** An error as a sentence for people that says what to do, where that is known. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `${optionOf(path)}: ${message}`).join('\n')
  // Connection failures of several addresses come as one error without a text.
  if (error instanceof AggregateError && error.message === '') return errorText(error.errors[0])
  const code = codeOf(error)
  if (NO_ANSWER.has(code))
    return `The database does not answer (${error.message}). Is DATABASE_URL right, and does its server run and let this machine in?`
  if (code === 'ENOSPC') return 'The disk is full.'
  const failure = FILE_FAILURES[code]
  return failure !== undefined && 'path' in error ? `${error.path} ${failure}.` : error.message
}
