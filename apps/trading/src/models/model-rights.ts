import { isManager } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { Asker } from '../ground/ownership.ts'
import type { ModelRow } from './tables.ts'

export const noModel = (version: string): AppError =>
  new AppError('not_found', `No model is called ${version}. Choose one of the list, or train it.`)

/** Throws `forbidden` for users that neither manage nor own a version, which a production one is nobody's to own. */
export function requireRight(
  owned: Pick<ModelRow, 'stage' | 'createdBy'> | undefined,
  { userId, role }: Asker,
  doThis: string,
): void {
  const isOwner = owned?.stage !== 'production' && owned?.createdBy === userId
  if (isManager(role) || isOwner) return
  throw new AppError('forbidden', `Only managers, and the owner of a version that is not in production, ${doThis}.`)
}
