import type { User } from '@shapecast/contracts/auth'
import { setDismissed, useDismissed } from '#kit/ui/dismissed.ts'
import { stepsTakenKey, welcomeKey } from '#wire/session/welcome-key.ts'

/** Brings back the first steps that somebody has hidden before all were taken; null where there is nothing to bring back. */
export function useHiddenSteps(user: User | null): (() => void) | null {
  const key = user === null ? '' : welcomeKey(user)
  const areHidden = useDismissed(key)
  const areTaken = useDismissed(user === null ? '' : stepsTakenKey(user))
  return user !== null && areHidden && !areTaken ? () => setDismissed(key, false) : null
}
