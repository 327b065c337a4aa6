import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { sql } from 'drizzle-orm'
import { deleteOfKeys } from './ground/jobs/job-rows.ts'
import { IMPORTANCE } from './models/importance/importance-kind.ts'

/** Deleted at a time, so that nobody waits for it: an artifact has some 5,000 forecasts beside its 0.5 MB. */
const AT_ONCE = 20

type Superseded = { id: string; version: string; hash: string; symbol: string; timeframe: string }

/**
 * What may go: trained here, older than the newest `keep` of its version and series, and named by nothing. Kept are the one
 * that predicts and the one that it took over from, to which a manager may want to go back; what predictions on record, a
 * manager's promotion or a backtest name; what a bot has pinned, whatever its state; and what is being measured. Which models a backtest was of is not known
 * of those from before that was written down: they keep whatever they can have been of.
 */
const superseded = async (orm: Orm, keep: number, version?: string): Promise<Superseded[]> => {
  const { rows } = await orm.execute<Superseded>(sql`
    select a.id, a.version, a.hash, a.symbol, a.timeframe
    from (
      select id, version, venue, symbol, timeframe, hash, active, origin, created_at_ms, row_number() over
        (partition by version, venue, symbol, timeframe order by created_at_ms desc, id desc) as place
      from trading.artifacts ${version === undefined ? sql`` : sql`where version = ${version}`}) a
    where a.place > ${keep} and not a.active and a.origin = 'trained'
      and not exists (select from trading.sealed_predictions p where p.artifact_id = a.id)
      and not exists (select from trading.artifacts o where o.active and o.version = a.version
        and o.comparison->>'againstId' = a.id::text)
      and not exists (select from platform.audit u where u.subject_type = 'model' and u.subject_id = a.version
        and u.action = 'model.artifact_promoted' and u.after->>'artifactId' = a.id::text)
      and not exists (select from trading.backtest_runs r where r.venue = a.venue and r.symbol = a.symbol
        and r.timeframe = a.timeframe
        and (a.hash = any(r.model_hashes) or (r.model_hashes is null and r.created_at_ms >= a.created_at_ms)))
      and not exists (select from trading.bot_models b where b.artifact_id = a.id)
      and not exists (select from trading.jobs j where j.kind = 'importance' and j.key = a.id::text
        and j.status in ('queued', 'running'))
    order by a.created_at_ms, a.id limit ${AT_ONCE}`)
  return rows
}

/**
 * Deletes superseded artifacts, with what was worked out of them, a few at a time; of each version and series the newest
 * `keep` stay, and whatever `superseded` spares. It is on record which went. Answers how many.
 */
export async function pruneArtifacts({ orm }: Pick<Database, 'orm'>, keep: number): Promise<number> {
  for (let pruned = 0; ; ) {
    const [next] = await superseded(orm, keep)
    if (next === undefined) return pruned
    const { version } = next
    pruned += await orm.transaction(async (tx) => {
      // Whoever promotes or measures holds the version first, and what was found may be named by now.
      await tx.execute(sql`select from trading.models where version = ${version} for update`)
      const gone = await superseded(tx, keep, version)
      if (gone.length === 0) return 0
      const ids = sql`array[${sql.join(
        gone.map(({ id }) => sql`${id}::uuid`),
        sql`, `,
      )}]`
      await tx.execute(sql`delete from trading.artifacts where id = any(${ids})`)
      await deleteOfKeys(
        tx,
        IMPORTANCE,
        gone.map(({ id }) => id),
      )
      await recordAudit(tx, {
        actorId: null,
        address: null,
        action: 'model.artifacts_pruned',
        subject: { type: 'model', id: version },
        before: { artifacts: gone.map(({ id, hash, symbol, timeframe }) => ({ id, hash, symbol, timeframe })) },
      })
      return gone.length
    })
  }
}
