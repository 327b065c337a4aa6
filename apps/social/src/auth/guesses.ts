import { AppError } from '@shapecast/contracts/errors'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { Attempts, GuessKind } from './attempts.ts'

/** What docs/operations.md tells fail2ban to look for. */
const SIGN_IN_FAILED = 'sign-in failed'

/** Guesses at passwords and codes, and registrations: counted, and the wrong ones written down where an administrator finds them. */
export const createGuesses = (deps: { db: Database; attempts: Attempts; log: Logger }) => {
  const { db, attempts, log } = deps
  return {
    /** Takes one of the attempts of its kind, which the log is told if there is none left. */
    async take(kind: GuessKind, email: string, address: string): Promise<void> {
      await attempts.take(kind, email, address).catch((error: unknown) => {
        if (error instanceof AppError) log.warn({ address, code: error.code }, SIGN_IN_FAILED)
        throw error
      })
    },

    /** Writes a wrong guess down where an administrator, and a program that reads the log, finds it. */
    async failed(guessed: { id: string | null; email: string }, action: string, address: string): Promise<void> {
      const { id: userId, email } = guessed
      log.warn({ address, userId }, SIGN_IN_FAILED)
      const subject = userId === null ? { type: 'email', id: email } : { type: 'user', id: userId }
      await recordAudit(db.orm, { userId: null, address }, { action, subject })
    },

    register: attempts.register,
    clear: attempts.clear,
  }
}
export type Guesses = ReturnType<typeof createGuesses>
