import { Policy } from '@shapecast/contracts/policy'
import { eq } from 'drizzle-orm'
import type { Orm } from './database/database.ts'
import { installation } from './tables.ts'

const KEY = 'policy'

/** The installation's policy; what was never set is as the contract has it. */
export async function readPolicy(orm: Orm): Promise<Policy> {
  const [row] = await orm.select().from(installation).where(eq(installation.key, KEY))
  return Policy.parse(row?.value ?? {})
}

export async function storePolicy(orm: Orm, policy: Policy): Promise<void> {
  await orm
    .insert(installation)
    .values({ key: KEY, value: policy })
    .onConflictDoUpdate({ target: installation.key, set: { value: policy } })
}
