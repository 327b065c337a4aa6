import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Role } from '@shapecast/contracts/auth'
import type { Database } from '@shapecast/platform/database/database'
import { createHttp } from '@shapecast/platform/http/build-service'
import type { ServiceApp } from '@shapecast/platform/http/register-endpoint'
import { silentLogger } from '@shapecast/platform/logging'
import { confirmSession, createSessions, type Sessions } from '@shapecast/platform/sessions'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import type { FastifyInstance } from 'fastify'

export const SECRET_KEY = 'a key that is long enough for a test'

export interface Person {
  userId: string
  role: Role
  address: string
  token: string
}

/** A database of its own, sessions, and one person of each kind; `call` speaks to whatever app is mounted. */
export interface ServiceBench {
  db: Database
  sessions: Sessions
  users: Record<'owner' | 'other' | 'manager' | 'admin', Person>
  /** A session that has proved who it is. */
  signIn(userId: string, role: Role): Promise<Person>
  /** Registers routes alone, without the rest of the service. */
  mount(routes: (app: ServiceApp) => void): FastifyInstance
  close(): Promise<void>
}

/** What services ask for proof of who calls, where that is not what is tried. */
export const proven = async (): Promise<void> => undefined

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  body: any
  headers: Record<string, unknown>
}

export async function createServiceBench(): Promise<ServiceBench> {
  return serviceBenchOn(
    await createTestDatabase([{ owner: 'trading', path: join(import.meta.dirname, '../../migrations') }]),
  )
}

/** The same on a database that is there already. */
export async function serviceBenchOn(db: Database): Promise<ServiceBench> {
  const sessions = createSessions({ db, secretKey: SECRET_KEY })
  const signIn = async (userId: string, role: Role): Promise<Person> => {
    const { accessToken, sid } = await sessions.issue({ userId, role })
    // For as long as the tests take; those of the proof itself take it back.
    await confirmSession(db.orm, sid, Date.now() + 1e9)
    return { userId, role, address: 'test', token: accessToken }
  }
  const person = (role: Role) => signIn(randomUUID(), role)
  const users = {
    owner: await person('user'),
    other: await person('user'),
    manager: await person('bot_manager'),
    admin: await person('admin'),
  }
  const apps: FastifyInstance[] = []
  return {
    db,
    sessions,
    users: users,
    signIn,
    mount(routes) {
      const fastify = createHttp(silentLogger())
      routes({ name: 'trading', fastify, sessions, registered: new Set() })
      apps.push(fastify)
      return fastify
    },
    async close() {
      await Promise.all(apps.map((app) => app.close()))
      await db.close()
    },
  }
}

/** One request; the body is the reply's `data` where it has one, else the error. */
export async function call(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
  url: string,
  options: { as?: Person | null; body?: unknown; idempotencyKey?: string | undefined } = {},
): Promise<Answer> {
  const reply = await app.inject({
    method,
    url,
    headers: {
      ...(options.as && { authorization: `Bearer ${options.as.token}` }),
      ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
    },
    ...(options.body === undefined ? {} : { payload: options.body as object }),
  })
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  const json = isJson ? reply.json() : { text: reply.body }
  return { status: reply.statusCode, body: 'data' in json ? json.data : json, headers: reply.headers }
}
