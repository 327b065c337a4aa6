import type { Visibility } from '@shapecast/contracts/bots'
import type { Caller } from '@shapecast/platform/sessions'
import type { z } from 'zod'

export type Asker = Pick<Caller, 'userId' | 'role'>
/** Who asks; null is nobody signed in. */
export type Viewer = Asker | null

/** What belongs to a user, who keeps it private or shows it to everybody. */
export interface Owned {
  readonly userId: string
  readonly visibility: z.infer<typeof Visibility>
}

export const mayChange = (owned: Owned, member: Asker) => owned.userId === member.userId || member.role === 'admin'
export const maySee = (owned: Owned, viewer: Viewer) =>
  owned.visibility === 'public' || (viewer !== null && mayChange(owned, viewer))

/** As names are compared: no two that only differ by capitals or by how their letters are written. */
export const plainName = (name: string): string => name.normalize('NFKC').toLowerCase()
