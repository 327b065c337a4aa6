import type { BotsOnModel } from '@shapecast/contracts/ml'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { notifyAll } from '@shapecast/platform/notify'
import { inArray, sql } from 'drizzle-orm'
import { strategiesOf } from '../deciders/deciders.ts'
import type { Demotion, ModelNews, Traders } from '../models/traders.ts'
import { changeStatusWhere, statusBy } from './bot-status.ts'
import { bots as botRows } from './tables.ts'

interface UsingBot extends Record<string, unknown> {
  id: string
  name: string
  user_id: string
  visibility: 'public' | 'private'
  is_virtual: boolean
  status: 'active' | 'paused' | 'error'
}

interface Viewer {
  readonly userId: string
  readonly role: string
}

/** Bots that are not stopped and trade on a version, by name or because they follow the current one. */
async function botsOn(orm: Orm, venue: string, version: string): Promise<UsingBot[]> {
  const { rows } = await orm.execute<UsingBot>(sql`
    select id, name, user_id, visibility, is_virtual, status from trading.bots b
    where venue = ${venue} and status <> 'stopped' and not temporary
      and (ml_model_version = ${version} or ${version} = any(ml_model_versions)
        or exists (select from trading.bot_models m where m.bot_id = b.id and m.version = ${version}))
    order by name, id`)
  return rows
}

/** The bots on a version as one person may see them: private ones of others are only counted, but for admins. */
async function botsOnModel(orm: Orm, venue: string, version: string, viewer: Viewer): Promise<BotsOnModel> {
  const all = await botsOn(orm, venue, version)
  const seen = all.filter((bot) => maySee(viewer, bot))
  return {
    bots: seen.map(({ id, name, status, is_virtual: isVirtual }) => ({ id, name, status, isVirtual })),
    others: all.length - seen.length,
  }
}

const maySee = (viewer: Viewer, bot: Pick<UsingBot, 'visibility' | 'user_id'>): boolean =>
  viewer.role === 'admin' || bot.visibility === 'public' || bot.user_id === viewer.userId

/** The bots that have pinned an artifact, whatever their state, named as one person may see them; null where none has. */
export async function botsPinnedTo(orm: Orm, artifactId: string, viewer: Viewer): Promise<string | null> {
  const { rows } = await orm.execute<Pick<UsingBot, 'name' | 'visibility' | 'user_id'>>(sql`
    select name, visibility, user_id from trading.bots
    where id in (select bot_id from trading.bot_models where artifact_id = ${artifactId}) order by name, id`)
  if (rows.length === 0) return null
  const seen = rows.filter((bot) => maySee(viewer, bot)).map(({ name }) => name)
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
  { version, bots, doer, nowMs }: Demotion,
): Promise<void> {
  await orm.transaction(async (tx) => {
    const using = await botsOn(tx, venue, version)
    const ids = using.map(({ id }) => id)
    if (bots === 'pause') await changeStatusWhere(tx, inArray(botRows.id, ids), statusBy('demotion', version), { doer })
    const owners = Map.groupBy(using, (bot) => bot.user_id)
    const text = (names: string) =>
      bots === 'pause'
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
  const { rows } = await tx.execute<{ user_id: string }>(sql`
    select distinct user_id from trading.bots
    where strategy in ${strategiesOf(({ takesModels }) => takesModels)} and status <> 'stopped' and user_id is distinct from ${doerId}
      and (ml_model_version = ${version} or ${version} = any(ml_model_versions)
        or exists (select from trading.bot_models m where m.bot_id = bots.id and m.version = ${version})
        or (ml_model_version is null and ml_model_versions is null
          and exists (select from trading.models where version = ${version} and stage = 'production')))`)
  const link = `/ml-analysis/models/${encodeURIComponent(version)}`
  await notifyAll(
    tx,
    rows.map(({ user_id: userId }) => ({ userId, kind: 'model', ...news, link })),
    nowMs,
  )
}

/** The traders of a venue, as the rooms of models and forecasts know them. */
export const createTraders = (orm: Database['orm'], venue: string): Traders => ({
  tell: notifyTraders,
  botsOn: (version, viewer) => botsOnModel(orm, venue, version, viewer),
  afterDemotion: (demotion) => afterDemotion(orm, venue, demotion),
})
