import { join } from 'node:path'
import { socialHealth } from '@shapecast/contracts/auth'
import { checkAnswers, type Database } from '@shapecast/platform/database/database'
import type { MigrationFolder } from '@shapecast/platform/database/migrate'
import { buildService } from '@shapecast/platform/http/build-service'
import { registerEndpoint } from '@shapecast/platform/http/register-endpoint'
import type { Logger } from '@shapecast/platform/logging'
import { readPolicy } from '@shapecast/platform/policy'
import type { Sessions } from '@shapecast/platform/sessions'
import type { FastifyPluginAsync } from 'fastify'
import { activityRoutes } from './features/activities/routes.ts'
import { createAccounts } from './features/auth/accounts.ts'
import { createPasswordAttempts } from './features/auth/password-attempts.ts'
import { authRoutes } from './features/auth/routes.ts'
import { taskRoutes } from './features/tasks/routes.ts'
import { createTaskDesk } from './features/tasks/task-desk.ts'
import { requireTask } from './features/tasks/task-store.ts'
import { voteRoutes } from './features/votes/routes.ts'
import { createVoteDesk } from './features/votes/vote-desk.ts'
import { votesOf } from './features/votes/vote-store.ts'

export interface SocialDeps {
  db: Database
  sessions: Sessions
  log: Logger
  /** Of the installation: the code for its first account comes from it. */
  secretKey: string
  /** Time in ms. */
  now?: () => number
}

/** The tables of the social service; run after the platform's. */
export const SOCIAL_MIGRATIONS: MigrationFolder = {
  owner: 'social',
  path: join(import.meta.dirname, '../migrations'),
}

/** The social service as a Fastify plugin, to be mounted at /soc or to stand alone. */
export function socialService({ db, sessions, log, secretKey, now = Date.now }: SocialDeps): FastifyPluginAsync {
  const accounts = createAccounts({ db, sessions, attempts: createPasswordAttempts(db.orm, now), log, now })
  const tasks = createTaskDesk({
    db,
    votesOf: (userId, taskIds) => votesOf(db.orm, userId, taskIds),
    isRestricted: async (orm) => (await readPolicy(orm)).tasksRestricted,
    now,
  })
  const votes = createVoteDesk({ db, readTask: requireTask, now })
  return buildService('social', { sessions }, (app) => {
    registerEndpoint(app, socialHealth, async () => {
      await checkAnswers(db)
      return { status: 'ok' } as const
    })
    authRoutes(app, accounts, secretKey)
    taskRoutes(app, tasks)
    voteRoutes(app, votes)
    activityRoutes(app, db.orm)
  })
}
