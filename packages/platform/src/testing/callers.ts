import { isManager, type Role } from '@shapecast/contracts/auth'
import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import type { Database } from '../database/database.ts'
import { createSessions, SESSION_MS } from '../sessions.ts'

/** Everybody who may come to a door without a good token. */
const STRANGERS = [
  'nobody',
  'garbage',
  'expired',
  'ended session',
  'another installation',
  'no signature',
  'changed role',
  'disabled',
] as const
type Stranger = (typeof STRANGERS)[number]

const ROLES = { user: 'user', 'other user': 'user', manager: 'bot_manager', admin: 'admin' } as const
type Known = keyof typeof ROLES

export const CALLERS = [...STRANGERS, ...(Object.keys(ROLES) as Known[])]
export type Caller = Stranger | Known
/** What each caller brings as a token; null for none. */
export type Tokens = Record<Caller, string | null>

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Tokens that were never good, or are no longer, each made out of an admin's: `admin` is one who is signed in. `disabled`
 * is left to the caller, as accounts are another service's.
 */
export async function badTokens(
  { db, secretKey }: { db: Database; secretKey: string },
  admin: { userId: string; token: string },
): Promise<Omit<Tokens, Known | 'disabled'>> {
  const signIn = { userId: admin.userId, role: 'admin' } as const
  const sessions = createSessions({ db, secretKey })
  const old = createSessions({ db, secretKey, now: () => Date.now() - SESSION_MS })
  const foreign = createSessions({ db, secretKey: 'the key of another installation, long' })
  const ended = await sessions.issue(signIn)
  await sessions.end(ended.sid)
  const [header, payload = '', signature] = admin.token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  return {
    nobody: null,
    garbage: 'rubbish.rubbish.rubbish',
    expired: (await old.issue(signIn)).accessToken,
    'ended session': ended.accessToken,
    'another installation': (await foreign.issue(signIn)).accessToken,
    'no signature': `${base64({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'changed role': `${header}.${base64({ ...claims, role: 'bot_manager' })}.${signature}`,
  }
}

/** The status that a caller is refused with at the door; null where it is let in. */
export function refusalOf({ access }: AnyEndpoint, caller: Caller): 401 | 403 | null {
  if (access === 'public') return null
  const role: Role | undefined = ROLES[caller as Known]
  if (role === undefined) return 401
  if (access === 'admin') return role === 'admin' ? null : 403
  if (access === 'manager') return isManager(role) ? null : 403
  return null
}
