import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '#routes/paths.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { UNAUTHORIZED_EVENT } from '#wire/session/session-token.ts'

/** A session that a service has ended leads to Sign In, and from there back to where one was. */
export function useSessionEnd(): void {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const isSignedIn = useUser() !== null
  useEffect(() => {
    if (!isSignedIn) return
    const onEnd = () =>
      void navigate(paths.login, {
        replace: true,
        state: { notice: 'Your session has ended. Sign in to go on where you were.', endedAt: pathname + search },
      })
    window.addEventListener(UNAUTHORIZED_EVENT, onEnd)
    return () => window.removeEventListener(UNAUTHORIZED_EVENT, onEnd)
  }, [isSignedIn, navigate, pathname, search])
}
