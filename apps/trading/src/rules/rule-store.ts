import type { Orm } from '@shapecast/platform/database/database'
import { and, asc, desc, eq, ilike, ne, or, sql } from 'drizzle-orm'
import type { Viewer } from '../ground/ownership.ts'
import { type RuleRow, rules, ruleVersions } from './tables.ts'

export const findRule = async (orm: Orm, id: string): Promise<RuleRow | undefined> =>
  (await orm.select().from(rules).where(eq(rules.id, id)))[0]

/** Nobody else changes it before the transaction ends. */
export const lockRule = async (tx: Orm, id: string): Promise<RuleRow | undefined> =>
  (await tx.select().from(rules).where(eq(rules.id, id)).for('update'))[0]

/** All versions of a rule, the newest first. */
export const versionsOf = (orm: Orm, ruleId: string) =>
  orm
    .select({ version: ruleVersions.version, text: ruleVersions.text, savedAt: ruleVersions.savedAt })
    .from(ruleVersions)
    .where(eq(ruleVersions.ruleId, ruleId))
    .orderBy(desc(ruleVersions.version))

/** Those that a viewer may see and that hold the words, their own first, then the newest. */
export function listRules(
  orm: Orm,
  viewer: Viewer,
  { search, limit }: { search?: string | undefined; limit: number },
): Promise<RuleRow[]> {
  const isOwn = viewer === null ? undefined : eq(rules.userId, viewer.userId)
  const seen = viewer?.role === 'admin' ? undefined : or(eq(rules.visibility, 'public'), isOwn)
  const words = `%${search?.replace(/[\\%_]/g, '\\$&')}%`
  const found = search ? or(ilike(rules.name, words), ilike(rules.text, words)) : undefined
  return orm
    .select()
    .from(rules)
    .where(and(seen, found))
    .orderBy(...(isOwn === undefined ? [] : [desc(isOwn)]), desc(rules.savedAt), asc(rules.id))
    .limit(limit)
}

export const countOf = (orm: Orm, userId: string): Promise<number> => orm.$count(rules, eq(rules.userId, userId))

/** Of a user's rules, but for one of them. */
export const otherNamesOf = async (orm: Orm, userId: string, id: string | null): Promise<string[]> =>
  (
    await orm
      .select({ name: rules.name })
      .from(rules)
      .where(and(eq(rules.userId, userId), id === null ? undefined : ne(rules.id, id)))
  ).map(({ name }) => name)

export async function insertRule(tx: Orm, row: Omit<RuleRow, 'id' | 'version' | 'createdAt'>): Promise<RuleRow> {
  const [made] = await tx
    .insert(rules)
    .values({ ...row, version: 1, createdAt: row.savedAt })
    .returning()
  await tx.insert(ruleVersions).values({ ruleId: made!.id, version: 1, text: made!.text, savedAt: row.savedAt })
  return made!
}

/** The rule must be locked. */
export async function insertVersion(tx: Orm, ruleId: string, text: string, savedAt: number): Promise<void> {
  const [row] = await tx
    .update(rules)
    .set({ version: sql`${rules.version} + 1`, text, savedAt })
    .where(eq(rules.id, ruleId))
    .returning({ version: rules.version })
  await tx.insert(ruleVersions).values({ ruleId, version: row!.version, text, savedAt })
}

export const updateRule = (tx: Orm, id: string, changes: Partial<Pick<RuleRow, 'name' | 'visibility'>>) =>
  tx.update(rules).set(changes).where(eq(rules.id, id))

export const deleteRule = (tx: Orm, id: string) => tx.delete(rules).where(eq(rules.id, id))
