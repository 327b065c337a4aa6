import { z } from 'zod'

/** What anybody who is signed in may know of a user. */
export const UserName = z.object({ id: z.uuid(), username: z.string() })
export type UserName = z.infer<typeof UserName>
