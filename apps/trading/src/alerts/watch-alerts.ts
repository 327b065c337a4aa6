import type { AlertRule } from '@shapecast/contracts/alerts'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { crosses, hasRested } from '@shapecast/engine/alert-crossing'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { notify } from '@shapecast/platform/notify'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { kindOf, type Measured, type Watched } from './alert-kinds.ts'
import { RESTORED_FOR_MS } from './alert-service.ts'
import { type AlertRow, alerts } from './tables.ts'

export interface WatchDeps extends Watched {
  db: Database
  venue: string
  log: Logger
  now(): number
}

const linkOf = (rule: AlertRule): string => ('botId' in rule ? `/trading?bot=${rule.botId}` : '/settings/alerts')

/** Writes down what was measured, and with it, once, that the alert rang. */
async function write(deps: WatchDeps, row: AlertRow, { value, lookedTs }: Measured): Promise<void> {
  const { db, now } = deps
  const kind = kindOf(row.rule)
  if (value === null || (value === row.lastValue && (lookedTs ?? null) === row.lookedTs)) return
  const rings = crosses(kind.level(row.rule), row.lastValue, value) && hasRested(row.rangAt, row.restMinutes, now())
  await db.orm.transaction(async (tx) => {
    const written = await tx
      .update(alerts)
      .set({
        lastValue: value,
        lookedTs: lookedTs ?? null,
        ...(rings && { rangAt: now(), timesRung: sql`${alerts.timesRung} + 1` }),
      })
      // A change made meanwhile lets it begin again, and another worker has written this down already.
      .where(
        and(
          eq(alerts.id, row.id),
          eq(alerts.isOn, true),
          isNull(alerts.deletedAtMs),
          sql`${alerts.lastValue} is not distinct from ${row.lastValue}::float8`,
          sql`${alerts.rule} = ${JSON.stringify(row.rule)}::jsonb`,
        ),
      )
      .returning({ id: alerts.id })
    if (written.length === 0 || !rings) return
    const bot = 'botId' in row.rule ? await deps.watchedBot(row.rule.botId) : null
    const words = kind.rings(value)
    await notify(
      tx,
      row.userId,
      {
        kind: 'alert',
        title: kind.about(row.rule, bot?.name ?? ''),
        text: row.note === '' ? words : `${words} ${row.note}`,
        link: linkOf(row.rule),
      },
      now(),
    )
  })
}

const areOn = (venue: string) => and(eq(alerts.venue, venue), alerts.isOn, isNull(alerts.deletedAtMs))

/** Whether any alert is on. */
export const isAnyOn = async (orm: NodePgDatabase, venue: string): Promise<boolean> =>
  (await orm.select({ id: alerts.id }).from(alerts).where(areOn(venue)).limit(1)).length > 0

/** Forgets the deleted ones that cannot be restored any more. */
export async function forgetAlerts(orm: NodePgDatabase, nowMs: number): Promise<void> {
  await orm.delete(alerts).where(lt(alerts.deletedAtMs, nowMs - RESTORED_FOR_MS))
}

/** Looks at every alert that is on, and rings those whose level was passed since the last look. One that cannot be measured keeps no other from it. */
export async function watchAlerts(deps: WatchDeps): Promise<void> {
  const { db, venue, log } = deps
  for (const row of await db.orm.select().from(alerts).where(areOn(venue)))
    try {
      await write(deps, row, await kindOf(row.rule).measure(row.rule, row, deps))
    } catch (error) {
      log.debug({ err: error, alert: row.id }, 'an alert could not be looked at')
    }
}

/** Series that alerts need to be followed: of prices the shortest. */
export async function seriesOfAlerts(
  orm: NodePgDatabase,
  venue: string,
): Promise<{ symbol: string; timeframe: Timeframe }[]> {
  const rows = await orm.select({ rule: alerts.rule }).from(alerts).where(areOn(venue))
  return rows.flatMap(({ rule }) =>
    'symbol' in rule ? [{ symbol: rule.symbol, timeframe: 'timeframe' in rule ? rule.timeframe : '1m' }] : [],
  )
}
