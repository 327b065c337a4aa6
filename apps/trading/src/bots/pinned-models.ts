import type { BotModel } from '@shapecast/contracts/bots'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { DECISION } from '@shapecast/engine/decisions'
import type { Plan } from '@shapecast/engine/policies/plan'
import type { Portfolio } from '@shapecast/engine/portfolio'
import type { Orm } from '@shapecast/platform/database/database'
import { insertRows } from '@shapecast/platform/database/insert-rows'
import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import { botModels } from './tables.ts'

/** A trained model, whatever becomes the active one of its version afterwards. */
export interface PinnedModel {
  readonly artifactId: string
  readonly version: string
  readonly hash: string
}

/** What a bot trades on for a pair and a version that it asks for. */
export interface Pin {
  readonly symbol: string
  /** Null follows the current version. */
  readonly asked: string | null
  readonly timeframe: Timeframe
  /** Null where there was none, which its owner has been told. */
  readonly model: PinnedModel | null
  /** Its owner wants the newest one at the next decision without a position. */
  readonly takesNext: boolean
}

/** Whether nothing of a pair is held once what was decided last is done. */
export function isFlat({ pairs }: Portfolio, { settings }: Plan, symbol: string): boolean {
  const pair = pairs.find((one) => one.symbol === symbol)
  if (pair === undefined) return true
  const { account, pending } = pair
  const sells = settings.market === 'spot' && pending === DECISION.SELL
  if (account.side === 0) return sells || pending === null || (pending !== DECISION.BUY && pending !== DECISION.SELL)
  const own = account.side > 0 ? DECISION.CLOSE_LONG : DECISION.CLOSE_SHORT
  return sells || pending === DECISION.CLOSE || pending === own
}

type Wanted = Pick<Pin, 'symbol' | 'asked' | 'timeframe'>

export const pinOf = (pins: readonly Pin[], { symbol, asked, timeframe }: Wanted): Pin | undefined =>
  pins.find((pin) => pin.symbol === symbol && pin.asked === asked && pin.timeframe === timeframe)

const pinnedOf = (row: typeof botModels.$inferSelect): Pin => ({
  symbol: row.symbol,
  asked: row.asked === '' ? null : row.asked,
  timeframe: row.timeframe,
  model: row.artifactId === null ? null : { artifactId: row.artifactId, version: row.version, hash: row.hash },
  takesNext: row.takesNext,
})

/** What predicts a series now for a version, or for the current one (null). */
export type PredictsNow = (
  version: string | null,
  symbol: string,
  timeframe: Timeframe,
) => (PinnedModel & { readonly createdAt: number }) | undefined

/** What bots trade on, by bot, as the API shows it; two queries, however many they are. */
export async function modelsOf(
  orm: Orm,
  botIds: readonly string[],
  predicting: () => Promise<PredictsNow>,
): Promise<Map<string, BotModel[]>> {
  const rows = await orm
    .select()
    .from(botModels)
    .where(inArray(botModels.botId, [...botIds]))
    .orderBy(botModels.symbol, botModels.asked)
  const now = await predicting()
  const shown = rows.flatMap((row) => {
    const { symbol, asked, timeframe, model, takesNext } = pinnedOf(row)
    if (model === null) return []
    const newest = now(asked, symbol, timeframe)
    const offer =
      newest === undefined || newest.artifactId === model.artifactId
        ? null
        : { version: newest.version, artifactId: newest.artifactId, createdAt: newest.createdAt }
    return { botId: row.botId, shown: { symbol, follows: asked === null, ...model, offer, takesNext } }
  })
  const byBot = Map.groupBy(shown, ({ botId }) => botId)
  return new Map([...byBot].map(([id, own]) => [id, own.map((one) => one.shown)]))
}

export async function readPins(orm: Orm, botId: string): Promise<Pin[]> {
  return (await orm.select().from(botModels).where(eq(botModels.botId, botId))).map(pinnedOf)
}

/** Writes down what bots trade on from now on. */
export async function savePins(
  tx: Orm,
  pins: readonly (Pin & { readonly botId: string })[],
  nowMs: number,
): Promise<void> {
  const rows = pins.map(({ model, asked, ...pin }) => ({
    ...pin,
    asked: asked ?? '',
    artifactId: model?.artifactId ?? null,
    version: model?.version ?? '',
    hash: model?.hash ?? '',
    pinnedAtMs: nowMs,
  }))
  const newest = sql`on conflict (bot_id, symbol, asked) do update set timeframe = excluded.timeframe,
    artifact_id = excluded.artifact_id, version = excluded.version, hash = excluded.hash,
    takes_next = excluded.takes_next, pinned_at_ms = excluded.pinned_at_ms`
  await insertRows(tx, botModels, rows, newest)
}

/** Forgets what a bot trades on, but for the versions that it asks for still. */
export async function dropPins(tx: Orm, botId: string, kept: readonly (string | null)[]): Promise<void> {
  const names = kept.map((asked) => asked ?? '')
  await tx.delete(botModels).where(and(eq(botModels.botId, botId), notInArray(botModels.asked, names)))
}
