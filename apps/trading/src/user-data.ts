import type { Orm } from '@shapecast/platform/database/database'
import { sql } from 'drizzle-orm'
import { ALERTS_OF_USERS } from './alerts/tables.ts'
import { BACKTESTS_OF_USERS } from './backtests/tables.ts'
import { BOTS_OF_USERS, botsOf } from './bots/kept-of-users.ts'
import { EXCHANGE_OF_USERS } from './exchange/tables.ts'
import { OPENAI_OF_USERS } from './forecasts/openai/tables.ts'
import { jobsOfUser } from './ground/jobs/tables.ts'
import { type KeptOfUsers, ofUser, type Whose } from './ground/kept-of-users.ts'
import { accountsOf, LEDGER_OF_USERS } from './ledger/kept-of-users.ts'
import { CHARTS_OF_USERS } from './market/charts/tables.ts'
import { DATASETS_OF_USERS } from './market/datasets/tables.ts'
import { RETRAININGS_OF_USERS } from './models/retraining/tables.ts'
import { UPLOADS_OF_USERS } from './models/tables.ts'
import { RULES_OF_USERS } from './rules/tables.ts'
import { TRIALS_OF_USERS } from './trials/tables.ts'

const KEPT: KeptOfUsers = {
  ...BOTS_OF_USERS,
  ...ALERTS_OF_USERS,
  ...OPENAI_OF_USERS,
  ...LEDGER_OF_USERS,
  ...EXCHANGE_OF_USERS,
  ...DATASETS_OF_USERS,
  ...CHARTS_OF_USERS,
  trainings: jobsOfUser('training'),
  ...RETRAININGS_OF_USERS,
  ...UPLOADS_OF_USERS,
  ...BACKTESTS_OF_USERS,
  searches: jobsOfUser('search', true),
  walkForwards: jobsOfUser('walk_forward', true),
  batches: jobsOfUser('batch', true),
  ...TRIALS_OF_USERS,
  ...RULES_OF_USERS,
  downloads: jobsOfUser('download'),
}

function whoseOf(userId: string): Whose {
  const bots = botsOf(userId)
  return { userId, bots, accounts: accountsOf({ userId, bots }) }
}

/**
 * Everything that is kept of a user, by subject. Of exchange keys only that there are any. `worthOf` says what their bots
 * are worth now.
 */
export async function exportUser(
  orm: Orm,
  userId: string,
  worthOf: (userId: string) => Promise<readonly object[]> = async () => [],
): Promise<Record<string, unknown>> {
  const whose = whoseOf(userId)
  const found: Record<string, unknown> = {}
  for (const [name, { table, columns, where = ofUser }] of Object.entries(KEPT))
    found[name] = (await orm.execute(sql`select ${sql.raw(columns)} from ${table} where ${where(whose)}`)).rows
  return { ...found, botWorth: await worthOf(userId) }
}

/**
 * Deletes what a user has here: bots with all that they did and the ledgers of virtual ones, exchange keys, limits, datasets,
 * backtests. What others rely on and what was on record stays under the id, which then leads to nobody: models and their
 * trainings, the person's own ledger and those of bots with real money.
 */
export async function deleteUser(tx: Orm, userId: string): Promise<void> {
  const whose = whoseOf(userId)
  // Bots come last: by them the rest is found.
  for (const { table, deleted } of Object.values(KEPT).reverse())
    if (deleted !== undefined) await tx.execute(sql`delete from ${table} where ${deleted(whose)}`)
}
