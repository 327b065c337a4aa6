import { join } from 'node:path'
import { socialHealth } from '@shapecast/contracts/auth'
import { registrationMode, security } from '@shapecast/contracts/own-account'
import type { Channels } from '@shapecast/platform/channels/channels'
import { sendMail } from '@shapecast/platform/channels/mail'
import { createOutlets, type MailOutlet, type Outlets } from '@shapecast/platform/channels/outlets'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { createHeartbeat } from '@shapecast/platform/database/heartbeat'
import type { MigrationFolder } from '@shapecast/platform/database/migrate'
import { newId } from '@shapecast/platform/database/new-id'
import { buildService } from '@shapecast/platform/http/build-service'
import { registerEndpoint } from '@shapecast/platform/http/register-endpoint'
import type { Logger } from '@shapecast/platform/logging'
import { readPolicy } from '@shapecast/platform/policy'
import type { Sessions } from '@shapecast/platform/sessions'
import type { FastifyPluginAsync } from 'fastify'
import { activityRoutes } from './activities/routes.ts'
import { createAttempts } from './auth/attempts.ts'
import { createConfirmations } from './auth/confirmations.ts'
import { createGuesses } from './auth/guesses.ts'
import { createOwnAccount } from './auth/own-account.ts'
import { ownAccountRoutes } from './auth/own-account-routes.ts'
import { authRoutes } from './auth/routes.ts'
import { createSignIn } from './auth/sign-in.ts'
import { createChannelService } from './notifications/channel-service.ts'
import { createNotificationService } from './notifications/notification-service.ts'
import { createOutletService } from './notifications/outlet-service.ts'
import { notificationRoutes, outletRoutes } from './notifications/routes.ts'
import { secondFactorRoutes } from './second-factor/routes.ts'
import { createSecondFactorService } from './second-factor/second-factor-service.ts'
import { taskRoutes } from './tasks/routes.ts'
import { createTaskService } from './tasks/task-service.ts'
import { requireTask } from './tasks/task-store.ts'
import { userRoutes } from './users/routes.ts'
import { createUserService, type UserService } from './users/user-service.ts'
import { voteRoutes } from './votes/routes.ts'
import { createVoteService } from './votes/vote-service.ts'
import { votesOf } from './votes/vote-store.ts'

export interface SocialDeps {
  db: Database
  sessions: Sessions
  /** Of the installation: the code for its first account comes from it, and what is sealed is sealed under it. */
  secretKey: string
  log: Logger
  /** What the trading service keeps of a user. */
  tradingData: TradingData
  /** Time in ms. */
  now?: () => number
  /** How messages are sent; over the network when left out. */
  channels?: (outlets: Outlets) => Channels
}

/** What is asked of the trading service about the people that it knows by their ids alone. */
export interface TradingData {
  /** Stops what a user's bots do. */
  stopBots(tx: Orm, userId: string): Promise<void>
  /** Has a user's bots open nothing with real money any more. */
  pauseRealBots(tx: Orm, userId: string): Promise<void>
  /** Everything that is kept of a user, by subject, without secrets. */
  export(orm: Orm, userId: string): Promise<Record<string, unknown>>
}

/** The tables of the social service; run after the platform's. */
export const SOCIAL_MIGRATIONS: MigrationFolder = {
  owner: 'social',
  path: join(import.meta.dirname, '../migrations'),
}

/** The social service as a Fastify plugin, to be mounted at /soc or to stand alone. */
export function socialService(deps: SocialDeps): FastifyPluginAsync {
  const { db, sessions, secretKey, log, tradingData, now = Date.now } = deps
  const guesses = createGuesses({ db, attempts: createAttempts(db.orm, now), log })
  const users = createUserService({ db, sessions, pauseRealBots: tradingData.pauseRealBots, now })
  const outlets = createOutlets(db.orm, secretKey)
  const mailReset = resetMailer(users)
  const confirmations = createConfirmations({ db, guesses })
  const secondFactor = createSecondFactorService({ db, sessions, secretKey, confirmations, now })
  const own = createOwnAccount({
    db,
    sessions,
    guesses,
    confirmations,
    secondFactor,
    takeResetCode: users.takeResetCode,
    async mailReset(email, address) {
      const { mail } = await outlets.read()
      return mail === null ? null : () => mailReset(mail, email, address)
    },
    log,
    stopBots: tradingData.stopBots,
    exportTrading: (userId) => tradingData.export(db.orm, userId),
    now,
  })
  const accounts = createSignIn({ db, sessions, guesses, admit: users.admit, secondFactor, now })
  const tasks = createTaskService({
    db,
    votesOf: (userId, taskIds) => votesOf(db.orm, userId, taskIds),
    isRestricted: async (orm) => (await readPolicy(orm)).tasksRestricted,
    now,
  })
  const requireAlive = createHeartbeat(db)
  const votes = createVoteService({ db, readTask: requireTask, now })
  return buildService('social', { sessions }, (app) => {
    registerEndpoint(app, socialHealth, async () => {
      await requireAlive()
      return { status: 'ok' } as const
    })
    registerEndpoint(app, registrationMode, async () => ({
      registration: (await readPolicy(db.orm)).registration,
      resetsByMail: (await outlets.read()).mail !== null,
    }))
    registerEndpoint(app, security, async ({ caller: { userId, role } }) => ({
      passwordChangedAt: await own.changedAt(userId),
      secondFactor: await secondFactor.state(userId, role),
    }))
    authRoutes(app, accounts, secretKey)
    ownAccountRoutes(app, own)
    secondFactorRoutes(app, secondFactor)
    userRoutes(app, { orm: db.orm, service: users, now })
    taskRoutes(app, tasks)
    voteRoutes(app, votes)
    activityRoutes(app, db.orm)
    const channels = createChannelService({ db, secretKey, outlets, guesses, log, now, channels: deps.channels })
    notificationRoutes(
      app,
      db.orm,
      createNotificationService({ orm: db.orm, connectedBy: channels.connectedBy, outlets: channels.outlets, now }),
      channels,
      now,
    )
    outletRoutes(app, createOutletService({ db, outlets }))
  })
}

/** Mails the link that sets a new password. Its code stands behind the #, which no server gets to see. */
const resetMailer =
  (users: Pick<UserService, 'mailedResetCode'>) =>
  async (mail: MailOutlet, email: string, address: string): Promise<void> => {
    const code = await users.mailedResetCode(email, address)
    if (code === null) return
    const link = `${mail.publicUrl}/reset#email=${encodeURIComponent(email)}&code=${code}`
    const text = `Somebody, from the address ${address}, asked to set a new password for this account. Within an hour, and once, this sets it:\n\n${link}\n\nNot you? Then do nothing: your password stays.`
    const { isTaken, words } = await sendMail(mail, {
      id: newId(),
      to: email,
      subject: 'Set a new password for Shapecast',
      text,
    })
    if (!isTaken) throw new Error(words)
  }
