import { Navigate, Outlet, useLocation } from 'react-router'
import { Mark } from '#kit/ui/logo.tsx'
import { paths } from '#routes/paths.ts'
import { useAuthState } from '#wire/session/auth-context.ts'

/** Sign In and Sign Up are for people who are not signed in; the others go on to the dashboard, or back to where their session ended. */
export function SignedOutOnly() {
  const { status } = useAuthState()
  const endedAt: unknown = useLocation().state?.endedAt
  if (status === 'checking') return <SessionCheck />
  if (status === 'signed-in') return <Navigate to={typeof endedAt === 'string' ? endedAt : paths.dashboard} replace />
  return <Outlet />
}

/** Shown while a slow server is asked who is signed in. */
export const SessionCheck = () => (
  <div role="status" aria-label="Checking your session" style={{ padding: 24 }}>
    <Mark />
  </div>
)
