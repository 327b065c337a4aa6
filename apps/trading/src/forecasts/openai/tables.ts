import type { Signal } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { sql } from 'drizzle-orm'
import { bigint, doublePrecision, index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { KeptOfUsers } from '../../ground/kept-of-users.ts'
import { tradingSchema } from '../../ground/trading-schema.ts'
import type { Failure } from './ask-model.ts'

/**
 * What a language model was asked for a bot, one row a candle, and what it answered. Written before the call, so that a
 * call that a crash interrupts counts. The migration deletes a bot's rows with the bot.
 */
export const openaiCalls = tradingSchema.table(
  'openai_calls',
  {
    botId: uuid('bot_id').notNull(),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').$type<Timeframe>().notNull(),
    /** Open time of the candle at whose close it was asked. */
    candleTs: bigint('candle_ts', { mode: 'number' }).notNull(),
    model: text('model').notNull(),
    /** UTC day of the last call, ms: the daily limit counts by it. */
    dayMs: bigint('day_ms', { mode: 'number' }).notNull(),
    /** Calls made for this candle on that day. */
    calls: integer('calls').notNull(),
    /** `asked`: under way, or interrupted. */
    outcome: text('outcome').$type<'asked' | 'answered' | Failure>().notNull(),
    signal: text('signal').$type<Signal>(),
    confidence: doublePrecision('confidence'),
    stopLoss: doublePrecision('stop_loss'),
    reasoning: text('reasoning'),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
    /** By the prices that were set then; null where none were. */
    costUsd: doublePrecision('cost_usd'),
  },
  (t) => [
    primaryKey({ name: 'openai_calls_key', columns: [t.botId, t.symbol, t.timeframe, t.candleTs] }),
    index('openai_calls_of_a_day').on(t.botId, t.dayMs),
  ],
)
export type OpenaiCallRow = typeof openaiCalls.$inferSelect

export const OPENAI_OF_USERS: KeptOfUsers = {
  openaiCalls: {
    table: openaiCalls,
    columns: `bot_id, symbol, timeframe, candle_ts, model, calls, outcome, signal, confidence, stop_loss, reasoning,
      input_tokens, output_tokens, cost_usd`,
    where: ({ bots }) => sql`bot_id in (${bots})`,
  },
}
