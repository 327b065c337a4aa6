import { join } from 'node:path'
import { socialHealth } from '@shapecast/contracts/auth'
import { checkAnswers, type Database } from '@shapecast/platform/database/database'
import type { MigrationFolder } from '@shapecast/platform/database/migrate'
import { buildService } from '@shapecast/platform/http/build-service'
import { registerEndpoint } from '@shapecast/platform/http/register-endpoint'
import type { Sessions } from '@shapecast/platform/sessions'
import type { FastifyPluginAsync } from 'fastify'
import { createAccounts } from './features/auth/accounts.ts'
import { createPasswordAttempts } from './features/auth/password-attempts.ts'
import { authRoutes } from './features/auth/routes.ts'

export interface SocialDeps {
  db: Database
  sessions: Sessions
  /** Time in ms. */
  now?: () => number
}

/** The tables of the social service; run after the platform's. */
export const SOCIAL_MIGRATIONS: MigrationFolder = {
  owner: 'social',
  path: join(import.meta.dirname, '../migrations'),
}

/** The social service as a Fastify plugin, to be mounted at /soc or to stand alone. */
export function socialService({ db, sessions, now = Date.now }: SocialDeps): FastifyPluginAsync {
  const accounts = createAccounts({ db, sessions, attempts: createPasswordAttempts(db.orm, now), now })
  return buildService('social', { sessions }, (app) => {
    registerEndpoint(app, socialHealth, async () => {
      await checkAnswers(db)
      return { status: 'ok' } as const
    })
    authRoutes(app, accounts)
  })
}
