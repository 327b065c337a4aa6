import { Box } from '@mui/material'
import { type ReactNode, useEffect } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { componentOf, lazily } from '#kit/ui/lazily.tsx'
import { Mark } from '#kit/ui/logo.tsx'
import { SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { paths } from '#routes/paths.ts'
import { useAuthState } from '#wire/session/auth-context.ts'
import { LandingPage } from '../features/auth/landing-page.tsx'
import { resetCode, signInCode, signUpCode } from './page-code.ts'

const SignInPage = componentOf(signInCode)
const SignUpPage = componentOf(signUpCode)
const ResetPage = componentOf(resetCode)
const Shell = lazily(async () => (await import('./shell.tsx')).Shell)

/** Charts measure themselves on resize, and a page that was hidden has missed it. */
function useResizeAfterRouteChange() {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the event follows each change of the path
  useEffect(() => {
    window.dispatchEvent(new Event('resize'))
  }, [pathname])
}

/** Shown while a slow server is asked who is signed in. */
const SessionCheck = () => (
  <SkeletonGroup label="Checking your session">
    <Box sx={{ p: { xs: 3, md: 6 } }}>
      <Mark />
    </Box>
  </SkeletonGroup>
)

/**
 * Landing, Sign In and Sign Up are for people who are not signed in; the others go on to the dashboard, or back to where
 * their session ended.
 */
function SignedOutOnly({ children }: { children: ReactNode }) {
  const { status } = useAuthState()
  const endedAt: unknown = useLocation().state?.endedAt
  if (status === 'checking') return <SessionCheck />
  if (status === 'signed-in') return <Navigate to={typeof endedAt === 'string' ? endedAt : paths.dashboard} replace />
  return children
}

export function AppRoutes() {
  const { pathname, search } = useLocation()
  useResizeAfterRouteChange()
  if (pathname.length > 1 && pathname.endsWith('/'))
    return <Navigate to={`${pathname.replace(/\/+$/, '') || '/'}${search}`} replace />
  return (
    <Routes>
      <Route
        path="/"
        element={
          <SignedOutOnly>
            <LandingPage />
          </SignedOutOnly>
        }
      />
      <Route
        path={paths.login}
        element={
          <SignedOutOnly>
            <SignInPage />
          </SignedOutOnly>
        }
      />
      <Route
        path={paths.register}
        element={
          <SignedOutOnly>
            <SignUpPage />
          </SignedOutOnly>
        }
      />
      <Route
        path={paths.reset}
        element={
          <SignedOutOnly>
            <ResetPage />
          </SignedOutOnly>
        }
      />
      <Route path="/*" element={<Shell />} />
    </Routes>
  )
}
