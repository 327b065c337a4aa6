import { join } from 'node:path'
import { socialHealth } from '@shapecast/contracts/auth'
import { registrationMode } from '@shapecast/contracts/own-account'
import { createOutlets } from '@shapecast/platform/channels/outlets'
import { createHeartbeat } from '@shapecast/platform/database/heartbeat'
import type { MigrationFolder } from '@shapecast/platform/database/migrate'
import { buildService } from '@shapecast/platform/http/build-service'
import { registerEndpoint } from '@shapecast/platform/http/register-endpoint'
import { readPolicy } from '@shapecast/platform/policy'
import type { FastifyPluginAsync } from 'fastify'
import { activityRoutes } from './activities/routes.ts'
import { authRoutes, ownAccountRoutes } from './auth/routes.ts'
import type { Social } from './ground/social.ts'
import { notificationRoutes, outletRoutes } from './notifications/routes.ts'
import { secondFactorRoutes } from './proof/routes.ts'
import { taskRoutes } from './tasks/routes.ts'
import { userRoutes } from './users/routes.ts'

/** The tables of the social service; run after the platform's. */
export const SOCIAL_MIGRATIONS: MigrationFolder = {
  owner: 'social',
  path: join(import.meta.dirname, '../migrations'),
}

/** What the social service is given; `now` is the time of day where it is left out. */
export type SocialDeps = Omit<Social, 'outlets' | 'now'> & Partial<Pick<Social, 'now'>>

/** The social service as a Fastify plugin, to be mounted at /soc or to stand alone. */
export function socialService(deps: SocialDeps): FastifyPluginAsync {
  const { db, sessions, secretKey } = deps
  const social: Social = { now: Date.now, ...deps, outlets: createOutlets(db.orm, secretKey) }
  const requireAlive = createHeartbeat(db)
  return buildService('social', { sessions }, (app) => {
    registerEndpoint(app, socialHealth, async () => {
      await requireAlive()
      return { status: 'ok' } as const
    })
    registerEndpoint(app, registrationMode, async () => ({
      registration: (await readPolicy(db.orm)).registration,
      resetsByMail: (await social.outlets.read()).mail !== null,
    }))
    authRoutes(app, social)
    ownAccountRoutes(app, social)
    secondFactorRoutes(app, social)
    userRoutes(app, social)
    taskRoutes(app, social)
    activityRoutes(app, social)
    notificationRoutes(app, social)
    outletRoutes(app, social)
  })
}
