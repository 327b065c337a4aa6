import { createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto'
import { Role } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import { and, eq, isNull, lt, ne } from 'drizzle-orm'
import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Database, Orm } from './database/database.ts'
import { sessions } from './tables.ts'

/** How long a second factor, or a password, that was given once more is good for. To sign in is not to give it once more. */
const CONFIRMED_MS = 5 * 60_000

/** Opens a limited session to all that its role may do. */
export async function liftSession(orm: Orm, sid: string): Promise<void> {
  await orm.update(sessions).set({ isLimited: false }).where(eq(sessions.id, sid))
}

/** Opens every limited session: nothing is required of their roles any more. */
export async function liftAllSessions(orm: Orm): Promise<void> {
  await orm.update(sessions).set({ isLimited: false }).where(eq(sessions.isLimited, true))
}

/** Writes down that the person of a session has just given the second factor, or the password, once more. */
export async function confirmSession(orm: Orm, sid: string, nowMs: number): Promise<number> {
  await orm
    .update(sessions)
    .set({ confirmedAt: new Date(nowMs) })
    .where(eq(sessions.id, sid))
  return nowMs + CONFIRMED_MS
}

/**
 * Throws `confirmation_required` unless the person of a session has given the second factor, or the password of an
 * account without one, within the last five minutes (POST /soc/api/auth/confirm).
 */
export async function requireConfirmed(orm: Orm, sid: string, nowMs: number): Promise<void> {
  const [row] = await orm.select({ at: sessions.confirmedAt }).from(sessions).where(eq(sessions.id, sid))
  if (row?.at && nowMs - row.at.getTime() < CONFIRMED_MS) return
  throw new AppError('confirmation_required', 'Confirm first that it is you: give your code, or your password.')
}

/** What a token stands for. */
export interface Session {
  readonly userId: string
  readonly role: Role
  /** The session, so that it can be ended. */
  readonly sid: string
  /** It may do nothing but set up the second factor that its role requires. */
  readonly isLimited?: true
}

/** Who makes a request, and from which network address. */
export interface Caller extends Session {
  readonly address: string
}

/** A caller as rights and the audit see it. */
export type Member = Pick<Caller, 'userId' | 'role' | 'address'>

export interface SignIn {
  readonly userId: string
  readonly role: Role
  readonly address?: string
  readonly userAgent?: string | undefined
  readonly isLimited?: boolean
}

export const SESSION_MS = 7 * 24 * 60 * 60 * 1000
const ISSUER = 'shapecast'
const Claims = z.object({ sub: z.uuid(), role: Role, sid: z.uuid(), exp: z.number() })
type Claims = z.infer<typeof Claims>

/** Pages that are open at a time. */
const MOST_TOKENS = 5_000
const SEEN_EVERY_MS = 5 * 60_000

const LIVE_SESSION = `select user_id, role, is_limited, last_seen_at as seen from platform.sessions
  where id = $1 and ended_at is null and expires_at > $2`
const SEEN = 'update platform.sessions set last_seen_at = $2 where id = $1'

const LIVE_SESSIONS = 'select id from platform.sessions where id = any($1) and ended_at is null and expires_at > $2'
const WATCH_EVERY_MS = 1_000

const refused = (cause?: unknown) =>
  new AppError('unauthorized', 'Your session has ended. Sign in again.', cause === undefined ? {} : { cause })

interface LiveSession {
  readonly user_id: string
  readonly role: string
  readonly is_limited: boolean
  readonly seen: Date | null
}

/**
 * Sessions in the table `platform.sessions`, carried by tokens signed with Ed25519 (RFC 8037). Each request asks the
 * table, so an end is felt at once by every process; the end of an account ends its sessions. `now` gives the time in ms.
 */
export function createSessions(deps: { db: Database; secretKey: string; now?: () => number }) {
  const { orm } = deps.db
  const now = deps.now ?? Date.now
  // The signature of a token that comes with every request of a page is checked once; its session is looked up each time.
  const known = new LRUCache<string, Claims>({ max: MOST_TOKENS })
  const whenEnded = createSessionWatch(async (sids) => {
    const { rows } = await deps.db.pool.query<{ id: string }>(LIVE_SESSIONS, [sids, new Date(now())])
    return rows.map(({ id }) => id)
  })
  const { privateKey, publicKey } = signingKeys(deps.secretKey)
  const endWhere = async (on: Orm, condition: ReturnType<typeof and>) => {
    await on
      .update(sessions)
      .set({ endedAt: new Date(now()) })
      .where(and(condition, isNull(sessions.endedAt)))
  }

  async function read(token: string, at: number): Promise<Claims> {
    try {
      const { payload } = await jwtVerify(token, publicKey, {
        algorithms: ['EdDSA'],
        issuer: ISSUER,
        currentDate: new Date(at),
      })
      const claims = Claims.parse(payload)
      known.set(token, claims)
      return claims
    } catch (cause) {
      throw refused(cause)
    }
  }

  return {
    /**
     * Signs a user in: a token that is good for 7 days, on both services. Give the transaction that makes sure of the user
     * along.
     */
    async issue({ userId, role, address, userAgent, isLimited = false }: SignIn, on: Orm = orm) {
      const at = now()
      const [row] = await on
        .insert(sessions)
        .values({
          userId,
          role,
          address: address ?? null,
          userAgent: userAgent?.slice(0, 300) ?? null,
          isLimited,
          lastSeenAt: new Date(at),
          createdAt: new Date(at),
          expiresAt: new Date(at + SESSION_MS),
        })
        .returning({ sid: sessions.id })
      await on.delete(sessions).where(and(eq(sessions.userId, userId), lt(sessions.expiresAt, new Date(at))))
      const { sid } = row!
      const accessToken = await new SignJWT({ role, sid })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setSubject(userId)
        .setIssuedAt(Math.floor(at / 1000))
        .setExpirationTime(Math.floor((at + SESSION_MS) / 1000))
        .sign(privateKey)
      return { accessToken, sid }
    },

    /** The session that a token stands for. Throws `unauthorized` where it is not ours, has run out or has been ended. */
    async verify(token: string): Promise<Session> {
      const at = now()
      let claims = known.get(token)
      if (claims === undefined || Math.floor(at / 1000) >= claims.exp) claims = await read(token, at)
      // Every request of everybody who is signed in asks this, and building the statement took half of its time.
      const { rows } = await deps.db.pool.query<LiveSession>(LIVE_SESSION, [claims.sid, new Date(at)])
      const row = rows[0]
      if (row === undefined || row.user_id !== claims.sub || row.role !== claims.role) throw refused()
      // Nobody waits for it, and a database that is away is told of by what was asked for.
      if (at - (row.seen?.getTime() ?? 0) > SEEN_EVERY_MS)
        deps.db.pool.query(SEEN, [claims.sid, new Date(at)]).catch(() => undefined)
      const session = { userId: claims.sub, role: claims.role, sid: claims.sid }
      return row.is_limited ? { ...session, isLimited: true } : session
    },

    /** Throws `confirmation_required` unless the person of a session has proved within five minutes who they are. */
    requireProof: (sid: string): Promise<void> => requireConfirmed(orm, sid, now()),
    /** Ends one session at once. */
    end: (sid: string, on: Orm = orm): Promise<void> => endWhere(on, eq(sessions.id, sid)),
    /** Ends every session of a user but one; give the transaction that changes the password along. */
    endOthers: (userId: string, exceptSid: string, on: Orm = orm): Promise<void> =>
      endWhere(on, and(eq(sessions.userId, userId), ne(sessions.id, exceptSid))),
    /** Ends every session of a user, as after a change of the role. */
    endAll: (userId: string, on: Orm = orm): Promise<void> => endWhere(on, eq(sessions.userId, userId)),
    /**
     * Calls `ended` within a second or so of the session's end, whatever ended it: for what lasts longer than a request.
     * Returns what stops the watching. A database that is away ends nothing.
     */
    whenEnded,
  }
}
export type Sessions = ReturnType<typeof createSessions>

/** One question a second for all sessions that are watched, and none while there are none. */
function createSessionWatch(livingOf: (sids: string[]) => Promise<string[]>) {
  const watched = new Map<string, Set<() => void>>()
  let timer: NodeJS.Timeout | undefined
  let asking = false

  async function look(): Promise<void> {
    if (asking) return
    asking = true
    const sids = [...watched.keys()]
    try {
      const living = new Set(await livingOf(sids))
      for (const sid of sids) if (!living.has(sid)) for (const ended of [...(watched.get(sid) ?? [])]) ended()
    } catch {
      // Asked again in a second.
    } finally {
      asking = false
    }
  }

  return (sid: string, ended: () => void): (() => void) => {
    const watchers = watched.get(sid) ?? new Set()
    watched.set(sid, watchers.add(ended))
    timer ??= setInterval(look, WATCH_EVERY_MS).unref()
    return () => {
      watchers.delete(ended)
      if (watchers.size === 0 && watched.get(sid) === watchers) watched.delete(sid)
      if (watched.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** PKCS #8 wrapping of a raw Ed25519 seed (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The same key for every process that has the same secret: HKDF-SHA-256 (RFC 5869) of it is the seed. */
function signingKeys(secretKey: string) {
  const seed = Buffer.from(hkdfSync('sha256', secretKey, '', 'shapecast session tokens', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
