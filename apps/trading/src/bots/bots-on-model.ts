import type { BotsOnModel } from '@shapecast/contracts/ml'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { notifyAll } from '@shapecast/platform/notify'
import { and, arrayContains, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { strategiesOf } from '../deciders/deciders.ts'
import { type Asker, maySee } from '../ground/ownership.ts'
import { models } from '../models/tables.ts'
import type { Demotion, ModelNews, Traders } from '../models/traders.ts'
import { changeStatusWhere, statusBy } from './bot-status.ts'
import { type BotRow, botModels, bots } from './tables.ts'

/** Bots that are not stopped and trade on a version, by name or because they follow the current one. */
const botsOn = (orm: Orm, venue: string, version: string): Promise<BotRow[]> =>
  orm
    .select()
    .from(bots)
    .where(and(eq(bots.venue, venue), ne(bots.status, 'stopped'), eq(bots.temporary, false), tradesOn(orm, version)))
    .orderBy(bots.name, bots.id)

const tradesOn = (orm: Orm, version: string) =>
  or(
    eq(bots.mlModelVersion, version),
    arrayContains(bots.mlModelVersions, [version]),
    inArray(bots.id, orm.select({ id: botModels.botId }).from(botModels).where(eq(botModels.version, version))),
  )

/** The bots on a version as one person may see them: private ones of others are only counted, but for admins. */
async function botsOnModel(orm: Orm, venue: string, version: string, viewer: Asker): Promise<BotsOnModel> {
  const all = await botsOn(orm, venue, version)
  const seen = all.filter((bot) => maySee(bot, viewer))
  return {
    bots: seen.map(({ id, name, status, isVirtual }) => ({ id, name, status, isVirtual })) as BotsOnModel['bots'],
    others: all.length - seen.length,
  }
}

/** The bots that have pinned an artifact, whatever their state, named as one person may see them; null where none has. */
export async function botsPinnedTo(orm: Orm, artifactId: string, viewer: Asker): Promise<string | null> {
  const pinned = orm.select({ id: botModels.botId }).from(botModels).where(eq(botModels.artifactId, artifactId))
  const rows = await orm.select().from(bots).where(inArray(bots.id, pinned)).orderBy(bots.name, bots.id)
  if (rows.length === 0) return null
  const seen = rows.filter((bot) => maySee(bot, viewer)).map(({ name }) => name)
  const others = rows.length - seen.length
  if (others === 0) return seen.join(', ')
  const ofOthers = `${others} ${others === 1 ? 'bot' : 'bots'} of others`
  return seen.length === 0 ? ofOthers : `${seen.join(', ')} and ${ofOthers}`
}

/**
 * Tells the owners of the bots on a version that it is out of production. With `pause` its active bots are paused: they
 * keep what they hold and open nothing, on record.
 */
async function afterDemotion(
  orm: Database['orm'],
  venue: string,
  { version, bots: wanted, doer, nowMs }: Demotion,
): Promise<void> {
  await orm.transaction(async (tx) => {
    const using = await botsOn(tx, venue, version)
    const ids = using.map(({ id }) => id)
    if (wanted === 'pause') await changeStatusWhere(tx, inArray(bots.id, ids), statusBy('demotion', version), { doer })
    const owners = Map.groupBy(using, (bot) => bot.userId)
    const text = (names: string) =>
      wanted === 'pause'
        ? `${names}: paused. What is held stays, and nothing is opened until you start again.`
        : `${names}: goes on with the model of its start. Choose another one, or start again once there is one.`
    await notifyAll(
      tx,
      [...owners].map(([userId, own]) => ({
        userId,
        kind: 'model' as const,
        title: `${version} is out of production`,
        text: text(own.map(({ name }) => name).join(', ')),
        link: `/ml-analysis/models/${encodeURIComponent(version)}`,
      })),
      nowMs,
    )
  })
}

/**
 * Notifies users with a bot that trades by a version, or by the current one while this one is in production, what has
 * become of it. The user that did it is not notified.
 */
async function notifyTraders(tx: Orm, { version, doerId, ...news }: ModelNews, nowMs: number): Promise<void> {
  const isCurrent = sql`exists (select from ${models} m where m.version = ${version} and m.stage = 'production')`
  const follows = and(isNull(bots.mlModelVersion), isNull(bots.mlModelVersions), isCurrent)
  const takers = inArray(
    bots.strategy,
    strategiesOf(({ takesModels }) => takesModels),
  )
  const rows = await tx
    .selectDistinct({ userId: bots.userId })
    .from(bots)
    .where(
      and(
        takers,
        ne(bots.status, 'stopped'),
        sql`${bots.userId} is distinct from ${doerId}`,
        or(tradesOn(tx, version), follows),
      ),
    )
  const link = `/ml-analysis/models/${encodeURIComponent(version)}`
  await notifyAll(
    tx,
    rows.map(({ userId }) => ({ userId, kind: 'model', ...news, link })),
    nowMs,
  )
}

/** The traders of a venue, as the rooms of models and forecasts know them. */
export const createTraders = (orm: Database['orm'], venue: string): Traders => ({
  tell: notifyTraders,
  botsOn: (version, viewer) => botsOnModel(orm, venue, version, viewer),
  afterDemotion: (demotion) => afterDemotion(orm, venue, demotion),
})
