import { SYSTEM } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { audit } from '@shapecast/platform/tables'
import { inArray, sql } from 'drizzle-orm'
import { wasBacktested } from './backtests/tables.ts'
import { isPinned } from './bots/tables.ts'
import { isSealed } from './forecasts/record/tables.ts'
import { deleteOfKeys } from './ground/jobs/job-rows.ts'
import { IMPORTANCE, isMeasured } from './models/importance/importance-kind.ts'
import { artifacts, models } from './models/tables.ts'
import { auditModel } from './models/versions.ts'

/** Deleted at a time, so that nobody waits for it: an artifact has some 5,000 forecasts beside its 0.5 MB. */
const AT_ONCE = 20

/** No other room needs an artifact `a`. */
const UNNEEDED = sql.join(
  [isSealed, wasBacktested, isPinned, isMeasured].map((needed) => sql`not ${needed}`),
  sql` and `,
)

type Superseded = { id: string; version: string; hash: string; symbol: string; timeframe: string }

/**
 * What may go: trained here, older than the newest `keep` of its version and series, and named by nothing. Kept are the one
 * that predicts and the one that it took over from, to which a manager may want to go back; what predictions on record, a
 * manager's promotion or a backtest name; what a bot has pinned, whatever its state; and what is being measured.
 */
const superseded = async (orm: Orm, keep: number, version?: string): Promise<Superseded[]> => {
  const { rows } = await orm.execute<Superseded>(sql`
    select a.id, a.version, a.hash, a.symbol, a.timeframe
    from (
      select id, version, venue, symbol, timeframe, hash, active, origin, created_at_ms, row_number() over
        (partition by version, venue, symbol, timeframe order by created_at_ms desc, id desc) as place
      from ${artifacts} ${version === undefined ? sql`` : sql`where version = ${version}`}) a
    where a.place > ${keep} and not a.active and a.origin = 'trained'
      and not exists (select from ${artifacts} o where o.active and o.version = a.version
        and o.comparison->>'againstId' = a.id::text)
      and not exists (select from ${audit} u where u.subject_type = 'model' and u.subject_id = a.version
        and u.action = 'model.artifact_promoted' and u.after->>'artifactId' = a.id::text)
      and ${UNNEEDED}
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
      // Promotion and measurement hold the version first, and what was found may be named by now.
      await tx.execute(sql`select from ${models} where version = ${version} for update`)
      const gone = await superseded(tx, keep, version)
      if (gone.length === 0) return 0
      const ids = gone.map(({ id }) => id)
      await tx.delete(artifacts).where(inArray(artifacts.id, ids))
      await deleteOfKeys(tx, IMPORTANCE, ids)
      await auditModel(tx, SYSTEM, 'model.artifacts_pruned', version, {
        before: { artifacts: gone.map(({ id, hash, symbol, timeframe }) => ({ id, hash, symbol, timeframe })) },
      })
      return gone.length
    })
  }
}
