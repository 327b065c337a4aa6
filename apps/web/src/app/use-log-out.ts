import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#routes/paths.ts'
import { useAuthSession } from '#wire/session/auth-context.ts'

/** Ends the session and lands on Sign In. */
export function useLogOut(): () => Promise<void> {
  const session = useAuthSession()
  const navigate = useNavigate()
  return useCallback(async () => {
    await session.logout()
    await navigate(paths.login)
  }, [session, navigate])
}
