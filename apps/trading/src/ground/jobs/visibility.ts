import { isManager, type Role } from '@shapecast/contracts/auth'
import { askersOf } from './kind.ts'
import type { JobRow } from './tables.ts'

/** Whether a job, with all that it shows, is this user's to see. */
export const maySee = (
  job: Pick<JobRow, 'userId' | 'joined' | 'visibility'>,
  { userId, role }: { userId: string; role: Role },
): boolean => role === 'admin' || (job.visibility === 'managers' && isManager(role)) || askersOf(job).includes(userId)

/** Cancelling takes the job from everybody who has joined it: that is for who asked first, and for admins. */
export const mayCancel = (job: Pick<JobRow, 'userId'>, { userId, role }: { userId: string; role: Role }): boolean =>
  role === 'admin' || job.userId === userId
