import type { User } from '@shapecast/contracts/auth'
import { Moon, Sun } from 'lucide-react'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { setDismissed, useDismissed } from '#kit/kept.ts'
import { chooseScheme, useScheme } from '#kit/theme/scheme.ts'
import { paths } from '#routes/paths.ts'
import { useAuthSession } from '#wire/session/auth-context.ts'
import { stepsTakenKey, welcomeKey } from '#wire/session/welcome-key.ts'

/** Ends the session and lands on Sign In. */
export function useLogOut(): () => Promise<void> {
  const session = useAuthSession()
  const navigate = useNavigate()
  return useCallback(async () => {
    await session.logout()
    await navigate(paths.login)
  }, [session, navigate])
}

/** Brings back the first steps that somebody has hidden before all were taken; null where there is nothing to bring back. */
export function useHiddenSteps(user: User | null): (() => void) | null {
  const key = user === null ? '' : welcomeKey(user)
  const areHidden = useDismissed(key)
  const areTaken = useDismissed(user === null ? '' : stepsTakenKey(user))
  return user !== null && areHidden && !areTaken ? () => setDismissed(key, false) : null
}

/** The way to the theme that the page is not drawn with. */
export const useOtherScheme = () =>
  useScheme() === 'light'
    ? { label: 'Dark theme', Icon: Moon, choose: () => chooseScheme('dark') }
    : { label: 'Light theme', Icon: Sun, choose: () => chooseScheme('light') }
