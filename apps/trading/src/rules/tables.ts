import { idColumn } from '@shapecast/platform/database/id-column'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { type KeptOfUsers, ofUser } from '../ground/kept-of-users.ts'
import { tradingSchema } from '../ground/trading-schema.ts'

export const rules = tradingSchema.table(
  'rules',
  {
    id: idColumn(),
    userId: uuid('user_id').notNull(),
    name: text('name').notNull(),
    visibility: text('visibility', { enum: ['public', 'private'] }).notNull(),
    /** Its newest version, and the text of that. */
    version: integer('version').notNull(),
    text: text('text').notNull(),
    createdAt: bigint('created_at_ms', { mode: 'number' }).notNull(),
    savedAt: bigint('saved_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [
    index('rules_by_user').on(t.userId, t.savedAt.desc()),
    index('rules_public').on(t.savedAt.desc()).where(sql`${t.visibility} = 'public'`),
  ],
)
export type RuleRow = typeof rules.$inferSelect

/** Every version of a rule, from 1 on. Rows are added, and deleted with their rule; nothing changes them. */
export const ruleVersions = tradingSchema.table(
  'rule_versions',
  {
    ruleId: uuid('rule_id')
      .notNull()
      .references(() => rules.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    text: text('text').notNull(),
    savedAt: bigint('saved_at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ name: 'rule_versions_key', columns: [t.ruleId, t.version] })],
)

export const RULES_OF_USERS: KeptOfUsers = {
  rules: { table: rules, columns: 'id, name, visibility, version, created_at_ms, saved_at_ms', deleted: ofUser },
  ruleVersions: {
    table: ruleVersions,
    columns: 'rule_id, version, text, saved_at_ms',
    where: ({ userId }) => sql`rule_id in (select id from ${rules} where user_id = ${userId})`,
  },
}
