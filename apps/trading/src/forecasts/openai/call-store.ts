import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { and, asc, eq, gte, lte, sql } from 'drizzle-orm'
import { matching } from '../../ground/matching.ts'
import { type OpenaiCallRow, openaiCalls } from './tables.ts'

/** One candle of a bot's pair. */
type AskedCandle = Pick<OpenaiCallRow, 'botId' | 'symbol' | 'timeframe' | 'candleTs'>

const DAY_MS = 86_400_000
const dayOf = (nowMs: number): number => nowMs - (nowMs % DAY_MS)

const isCandle = ({ botId, symbol, timeframe, candleTs }: AskedCandle) =>
  matching(openaiCalls, { botId, symbol, timeframe, candleTs })

/** Calls of language models, their answers and what they cost. */
export const createCallStore = ({ orm }: Database) => {
  const callsOn = async (botId: string, day: number, db: Pick<typeof orm, 'select'> = orm): Promise<number> => {
    const [row] = await db
      .select({ n: sql<number>`coalesce(sum(${openaiCalls.calls}), 0)::int` })
      .from(openaiCalls)
      .where(matching(openaiCalls, { botId, dayMs: day }))
    return row!.n
  }

  return {
    /** Books one call for a candle before it is made; the kept answer if there is one; `limit` where none is left today. */
    book: (
      candle: AskedCandle,
      { model, limit, nowMs }: { model: string; limit: number; nowMs: number },
    ): Promise<'booked' | 'limit' | OpenaiCallRow> =>
      orm.transaction(async (tx) => {
        await lockUntilCommit(tx, `openai calls of ${candle.botId}`)
        const [kept] = await tx.select().from(openaiCalls).where(isCandle(candle))
        if (kept?.outcome === 'answered') return kept
        const dayMs = dayOf(nowMs)
        if ((await callsOn(candle.botId, dayMs, tx)) >= limit) return 'limit'
        const calls = kept?.dayMs === dayMs ? kept.calls + 1 : 1
        const asked = { model, dayMs, calls, outcome: 'asked' as const }
        await tx
          .insert(openaiCalls)
          .values({ ...candle, ...asked, inputTokens: 0, outputTokens: 0 })
          .onConflictDoUpdate({
            target: [openaiCalls.botId, openaiCalls.symbol, openaiCalls.timeframe, openaiCalls.candleTs],
            set: asked,
          })
        return 'booked'
      }),

    /** Writes down how a booked call ended; tokens and cost add to those of earlier calls for the candle. */
    async end(
      candle: AskedCandle,
      ended: Pick<
        OpenaiCallRow,
        'outcome' | 'signal' | 'confidence' | 'stopLoss' | 'reasoning' | 'inputTokens' | 'outputTokens' | 'costUsd'
      >,
    ): Promise<void> {
      const { inputTokens, outputTokens, costUsd, ...answer } = ended
      await orm
        .update(openaiCalls)
        .set({
          ...answer,
          inputTokens: sql`${openaiCalls.inputTokens} + ${inputTokens}`,
          outputTokens: sql`${openaiCalls.outputTokens} + ${outputTokens}`,
          ...(costUsd === null ? {} : { costUsd: sql`coalesce(${openaiCalls.costUsd}, 0) + ${costUsd}::float8` }),
        })
        .where(isCandle(candle))
    },

    /** Answers that were kept for candles that opened in a range, oldest first. */
    answers: (botId: string, symbol: string, timeframe: Timeframe, fromMs: number, toMs: number) =>
      orm
        .select({ ts: openaiCalls.candleTs, signal: openaiCalls.signal, confidence: openaiCalls.confidence })
        .from(openaiCalls)
        .where(
          and(
            matching(openaiCalls, { botId, symbol, timeframe, outcome: 'answered' }),
            gte(openaiCalls.candleTs, fromMs),
            lte(openaiCalls.candleTs, toMs),
          ),
        )
        .orderBy(asc(openaiCalls.candleTs)),

    async hasAnswers(botId: string): Promise<boolean> {
      const answered = matching(openaiCalls, { botId, outcome: 'answered' })
      return (await orm.select({ ts: openaiCalls.candleTs }).from(openaiCalls).where(answered).limit(1)).length > 0
    },

    /** Calls of today, and everything that was ever asked for a bot. */
    async use(botId: string, nowMs: number) {
      const [sum] = await orm
        .select({
          calls: sql<number>`coalesce(sum(${openaiCalls.calls}), 0)::int`,
          inputTokens: sql<number>`coalesce(sum(${openaiCalls.inputTokens}), 0)::float8`,
          outputTokens: sql<number>`coalesce(sum(${openaiCalls.outputTokens}), 0)::float8`,
          costUsd: sql<number | null>`sum(${openaiCalls.costUsd})`,
        })
        .from(openaiCalls)
        .where(eq(openaiCalls.botId, botId))
      return { callsToday: await callsOn(botId, dayOf(nowMs)), ...sum! }
    },
  }
}
export type CallStore = ReturnType<typeof createCallStore>
