import { Policy } from '@shapecast/contracts/policy'
import type { Orm } from './database/database.ts'
import { keep, readKept } from './kept.ts'

const KEY = 'policy'

/** The installation's policy; what was never set is as the contract has it. */
export const readPolicy = async (orm: Orm): Promise<Policy> => Policy.parse((await readKept(orm, KEY)) ?? {})

export const storePolicy = (orm: Orm, policy: Policy): Promise<void> => keep(orm, KEY, policy)
