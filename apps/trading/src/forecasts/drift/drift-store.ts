import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { eq, inArray } from 'drizzle-orm'
import { type DriftStateRow, driftStates } from './tables.ts'

/** What was found when artifacts were last looked at, by their ids. */
export async function statesOf(orm: Orm, artifactIds: readonly string[]): Promise<Map<string, DriftStateRow>> {
  if (artifactIds.length === 0) return new Map()
  const of = inArray(driftStates.artifactId, [...artifactIds])
  return new Map((await orm.select().from(driftStates).where(of)).map((row) => [row.artifactId, row]))
}

/** Writes a state down and answers the decision before it; undefined where another process was first with this one. */
export async function putState(
  tx: Orm,
  row: DriftStateRow,
): Promise<{ before: DriftStateRow['decision'] | null } | undefined> {
  await lockUntilCommit(tx, `drift ${row.artifactId}`)
  const [before] = await tx.select().from(driftStates).where(eq(driftStates.artifactId, row.artifactId))
  if (before !== undefined && before.lastScoredMs >= row.lastScoredMs) return undefined
  await tx.insert(driftStates).values(row).onConflictDoUpdate({ target: driftStates.artifactId, set: row })
  return { before: before?.decision ?? null }
}
