import type { TrainingOutcome } from '@shapecast/contracts/training-outcome'
import { recordActivity } from '@shapecast/platform/activities'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { notify } from '@shapecast/platform/notify'
import { eq } from 'drizzle-orm'
import type { NewArtifact } from './artifact-rows.ts'
import { artifacts, type TrainingRow } from './tables.ts'
import { replaced, type Traders } from './traders.ts'

/** What a list says of the artifact that a training made. */
export type MadeArtifact = Pick<typeof artifacts.$inferSelect, 'active' | 'comparison'>

/** What a training came to. */
export const outcomeOf = ({ active, comparison }: MadeArtifact): TrainingOutcome => ({
  decision:
    comparison === null ? 'first' : comparison.waits ? 'waits' : comparison.takesOver ? 'took_over' : 'old_stays',
  verdict: comparison?.verdict ?? null,
  predicts: active,
})

/** Tells whoever asked for a training that it is done, or why it failed; nobody asked for the first model. */
export async function tellTrained(tx: Orm, row: TrainingRow, error: string | null, nowMs: number): Promise<void> {
  if (row.userId === null) return
  const what = `${row.version} on ${row.symbol} ${row.timeframe}`
  await notify(
    tx,
    row.userId,
    error === null
      ? {
          kind: 'job',
          title: `${what} is trained`,
          text: 'Its page says how good it is, and whether it predicts now.',
          link: `/ml-analysis?model=${encodeURIComponent(row.version)}`,
        }
      : { kind: 'job', title: `${what} could not be trained`, text: error, link: '/ml-analysis' },
    nowMs,
  )
}

/** On record: what was made, and whether it predicts from now on. */
export async function recordTrained(
  tx: Orm,
  artifactId: string,
  artifact: NewArtifact,
  actorId: string | null,
  traders: Pick<Traders, 'tell'>,
  nowMs: number,
) {
  const { version, venue, symbol, timeframe, hash } = artifact
  const [made] = await tx
    .select({ active: artifacts.active, comparison: artifacts.comparison })
    .from(artifacts)
    .where(eq(artifacts.id, artifactId))
  await recordAudit(tx, {
    actorId,
    address: null,
    action: 'model.trained',
    subject: { type: 'model', id: version },
    after: { artifactId, venue, symbol, timeframe, hash, ...outcomeOf(made!) },
  })
  await recordActivity(tx, {
    type: 'model',
    action: 'model.trained',
    actorId,
    subject: { id: version, name: version },
    detail: `${symbol} ${timeframe}`,
  })
  // Compared is what there was one to compare with, which it has replaced.
  if (made!.active && made!.comparison !== null)
    await traders.tell(tx, replaced(version, `${symbol} ${timeframe}`, actorId), nowMs)
}
