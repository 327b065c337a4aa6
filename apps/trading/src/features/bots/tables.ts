import type { BotParameters, ConsensusConfig } from '@shapecast/contracts/bots'
import type { BotPrediction } from '@shapecast/contracts/predictions'
import { sql } from 'drizzle-orm'
import { bigint, boolean, doublePrecision, index, integer, jsonb, numeric, text, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../trading-schema.ts'

export const bots = tradingSchema.table(
  'bots',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    userId: uuid('user_id').notNull(),
    venue: text('venue').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    strategy: text('strategy', { enum: ['ml', 'openai'] }).notNull(),
    status: text('status', { enum: ['stopped', 'active', 'paused', 'error'] }).notNull(),
    statusReason: text('status_reason'),
    visibility: text('visibility', { enum: ['public', 'private'] }).notNull(),
    isVirtual: boolean('is_virtual').notNull(),
    tradingPairs: text('trading_pairs').array().notNull(),
    /** Base asset. */
    positionSize: doublePrecision('position_size').notNull(),
    /** Percent of the peak of the equity. */
    maxDrawdown: doublePrecision('max_drawdown').notNull(),
    riskLevel: text('risk_level', { enum: ['low', 'medium', 'high'] }).notNull(),
    marketType: text('market_type', { enum: ['spot', 'futures'] }).notNull(),
    leverage: integer('leverage').notNull(),
    /** Percent of the entry price; 0 is off. */
    takeProfitPct: doublePrecision('take_profit_pct').notNull(),
    stopLossPct: doublePrecision('stop_loss_pct').notNull(),
    /** Quote. */
    initialBalance: doublePrecision('initial_balance').notNull(),
    totalTrades: integer('total_trades').notNull().default(0),
    winningTrades: integer('winning_trades').notNull().default(0),
    lastTradeAtMs: bigint('last_trade_at_ms', { mode: 'number' }),
    mlModelVersion: text('ml_model_version'),
    mlModelVersions: text('ml_model_versions').array(),
    consensusConfig: jsonb('consensus_config').$type<ConsensusConfig>(),
    parameters: jsonb('parameters').$type<BotParameters>(),
    temporary: boolean('temporary').notNull(),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    index('bots_by_user').on(t.userId),
    index('bots_public').on(t.visibility),
    index('bots_temporary').on(t.createdAtMs).where(sql`${t.temporary}`),
  ],
)
export type BotRow = typeof bots.$inferSelect

/** The isolated account that a bot trades with. */
export const subAccounts = tradingSchema.table('sub_accounts', {
  id: uuid('id').primaryKey().default(sql`uuidv7()`),
  botId: uuid('bot_id')
    .notNull()
    .unique()
    .references(() => bots.id, { onDelete: 'cascade' }),
  venue: text('venue').notNull(),
  createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
})

/** Append-only: a trigger refuses updates, and rows go only together with their bot. The balance is the sum. */
export const ledger = tradingSchema.table(
  'ledger',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    subAccountId: uuid('sub_account_id')
      .notNull()
      .references(() => subAccounts.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['deposit', 'trade', 'fee', 'funding'] }).notNull(),
    /** Quote; positive raises the balance. Exact decimal, so that the order of summing changes nothing. */
    amount: numeric('amount').notNull(),
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [index('ledger_by_account').on(t.subAccountId)],
)

/** What a bot's models said last. */
export const botPredictions = tradingSchema.table('bot_predictions', {
  botId: uuid('bot_id')
    .primaryKey()
    .references(() => bots.id, { onDelete: 'cascade' }),
  prediction: jsonb('prediction').$type<BotPrediction>().notNull(),
  madeAtMs: bigint('made_at_ms', { mode: 'number' }).notNull(),
})
