import type { User } from '@shapecast/contracts/auth'
import { ArrowLeftRight, BookA, ListChecks, type LucideIcon, Moon, Sun } from 'lucide-react'
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

interface AccountLink {
  readonly label: string
  readonly Icon: LucideIcon
  readonly to: string
  readonly onChosen?: () => void
}

/** What stands beside Settings: first steps where somebody has hidden them before all were taken, to bring them back. */
export function useAccountLinks(user: User | null): AccountLink[] {
  const key = user === null ? '' : welcomeKey(user)
  const areHidden = useDismissed(key)
  const areTaken = useDismissed(user === null ? '' : stepsTakenKey(user))
  const links: AccountLink[] = [
    { label: 'Trade by hand', Icon: ArrowLeftRight, to: paths.trade() },
    { label: 'Glossary', Icon: BookA, to: paths.glossary },
  ]
  if (user !== null && areHidden && !areTaken)
    links.push({
      label: 'First steps',
      Icon: ListChecks,
      to: paths.dashboard,
      onChosen: () => setDismissed(key, false),
    })
  return links
}

/** The way to the theme that the page is not drawn with. */
export const useOtherScheme = () =>
  useScheme() === 'light'
    ? { label: 'Dark theme', Icon: Moon, choose: () => chooseScheme('dark') }
    : { label: 'Light theme', Icon: Sun, choose: () => chooseScheme('light') }
