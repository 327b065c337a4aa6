/** What a write met that somebody else had done since it was looked at. */
export type Violation = 'gone' | 'still_named' | 'twice'

const FOREIGN_KEY = '23503'
const UNIQUE = '23505'

/**
 * Whether an error, or what caused it, is that a row names one that is `gone`, is `still_named` by another, or is there
 * `twice`; null where it is anything else.
 */
export function violationOf(error: unknown): Violation | null {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    const { code } = e as { code?: unknown }
    if (code === UNIQUE) return 'twice'
    // PostgreSQL has one code for both ends of a foreign key.
    if (code === FOREIGN_KEY) return e.message.startsWith('update or delete') ? 'still_named' : 'gone'
  }
  return null
}
