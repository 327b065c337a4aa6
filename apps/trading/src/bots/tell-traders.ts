import type { Orm } from '@shapecast/platform/database/database'
import { notifyAll } from '@shapecast/platform/notify'
import { sql } from 'drizzle-orm'

/** What has become of a model, and who did it; null where nobody did. */
export interface ModelNews {
  readonly version: string
  readonly title: string
  readonly text: string
  readonly doerId: string | null
}

/**
 * Tells whoever has a bot that trades by a version, or by the current one while this one is in production, what has
 * become of it. Whoever did it is not told.
 */
export async function tellTraders(tx: Orm, { version, doerId, ...news }: ModelNews, nowMs: number): Promise<void> {
  const { rows } = await tx.execute<{ user_id: string }>(sql`
    select distinct user_id from trading.bots
    where strategy = 'ml' and status <> 'stopped' and user_id is distinct from ${doerId}
      and (ml_model_version = ${version} or ${version} = any(ml_model_versions)
        or exists (select from trading.bot_models m where m.bot_id = bots.id and m.version = ${version})
        or (ml_model_version is null and ml_model_versions is null
          and exists (select from trading.models where version = ${version} and stage = 'production')))`)
  const link = `/ml-analysis?model=${encodeURIComponent(version)}`
  await notifyAll(
    tx,
    rows.map(({ user_id: userId }) => ({ userId, kind: 'model', ...news, link })),
    nowMs,
  )
}

/** News of a version that asks another network of its own from now on. */
export const replaced = (version: string, series: string, doerId: string | null): ModelNews => ({
  version,
  title: `${version} predicts ${series} by a newer model`,
  text: 'Your bots go on with the one that they started on. Their cards offer the newer one; those that follow their model take it once they hold nothing.',
  doerId,
})
