import type { User } from '@shapecast/contracts/auth'

/** Under which name it is remembered whether somebody is shown the first steps. */
export const welcomeKey = (user: Pick<User, 'id'>): string => `first-steps:${user.id}`

/** Under which name it is remembered that all of them were taken. */
export const stepsTakenKey = (user: Pick<User, 'id'>): string => `first-steps-taken:${user.id}`
