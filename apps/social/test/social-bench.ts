import type { Role } from '@shapecast/contracts/auth'
import { channelsOf } from '@shapecast/platform/channels/channels'
import type { Database } from '@shapecast/platform/database/database'
import { createHttp } from '@shapecast/platform/http/build-service'
import { type Logger, silentLogger } from '@shapecast/platform/logging'
import { confirmSession, createSessions, type Sessions } from '@shapecast/platform/sessions'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import type { FastifyInstance } from 'fastify'
import { SOCIAL_MIGRATIONS, socialService } from '../src/app.ts'
import type { TradingData } from '../src/ground/social.ts'
import { hashPassword } from '../src/proof/password-hash.ts'

export const SECRET_KEY = 'a key that is long enough for a test'

/** Webhooks of tests: `.example.org` answers, `refuses.example.org` with a 401, and anything else is not there. */
function answerOf({ address }: { address: string }) {
  const { hostname } = new URL(address)
  if (!hostname.endsWith('.example.org')) throw new Error(`getaddrinfo ENOTFOUND ${hostname}`)
  const isTaken = hostname !== 'refuses.example.org'
  return { isTaken, words: isTaken ? '204' : '401' }
}

/** A trading service that knows nobody. */
export const NO_TRADING: TradingData = {
  stopBots: async () => {},
  pauseRealBots: async () => {},
  export: async () => ({}),
}

export interface Person {
  readonly userId: string
  readonly username: string
  readonly role: Role
  readonly token: string
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any
}

/** The social service on a database of its own. */
export interface SocialBench {
  readonly db: Database
  readonly sessions: Sessions
  readonly app: FastifyInstance
  /** The token of a session that has proved who it is. */
  signIn(userId: string, role: Role): Promise<string>
  /** An account that is signed in and has proved who it is, with a password that nobody uses. */
  person(username: string, role?: Role): Promise<Person>
  /** One request, as somebody or as nobody. */
  ask(method: string, path: string, as?: Person | null, body?: unknown, address?: string, key?: string): Promise<Answer>
  close(): Promise<void>
}

export async function createSocialBench(options: { now?: () => number; log?: Logger } = {}): Promise<SocialBench> {
  const { now = Date.now } = options
  const { log = silentLogger() } = options
  const db = await createTestDatabase([SOCIAL_MIGRATIONS])
  const passwordHash = await hashPassword('a password that nobody uses')
  const sessions = createSessions({ db, secretKey: SECRET_KEY, now })
  const signIn = async (userId: string, role: Role): Promise<string> => {
    const { accessToken, sid } = await sessions.issue({ userId, role })
    await confirmSession(db.orm, sid, now() + 1e9)
    return accessToken
  }
  const app = createHttp(log)
  await app.register(
    socialService({
      db,
      sessions,
      secretKey: SECRET_KEY,
      log,
      tradingData: NO_TRADING,
      now,
      channels: (outlets) => ({ ...channelsOf(outlets), webhook: { send: async (_message, to) => answerOf(to) } }),
    }),
    {
      prefix: '/soc',
    },
  )
  return {
    db,
    sessions,
    app,
    signIn,
    async person(username, role = 'user') {
      const { rows } = await db.pool.query<{ id: string }>(
        `insert into social.users (username, email, role, password_hash, created_at_ms)
         values ($1, $1 || '@example.org', $2, $4, $3) returning id`,
        [username, role, now(), passwordHash],
      )
      const userId = rows[0]!.id
      return { userId, username, role, token: await signIn(userId, role) }
    },
    async ask(method, path, as = null, body, address = '10.0.0.1', key) {
      const reply = await app.inject({
        method: method as 'GET',
        url: `/soc${path}`,
        remoteAddress: address,
        headers: {
          ...(as !== null && { authorization: `Bearer ${as.token}` }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return { status: reply.statusCode, body: reply.json() }
    },
    async close() {
      await app.close()
      await db.close()
    },
  }
}
