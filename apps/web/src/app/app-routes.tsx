import { type ReactNode, useEffect } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { SignInPage } from '../features/auth/sign-in-page.tsx'
import { SignUpPage } from '../features/auth/sign-up-page.tsx'
import { LandingPage } from '../features/landing/landing-page.tsx'
import { useAuthState } from '../shared/auth/auth-context.ts'
import { Shell } from './shell.tsx'

/** Charts measure themselves on resize, and a page that was hidden has missed it. */
function useResizeAfterRouteChange() {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the event follows each change of the path
  useEffect(() => {
    window.dispatchEvent(new Event('resize'))
  }, [pathname])
}

/** Landing, Sign In and Sign Up are for people who are not signed in; the others go on to the dashboard. */
function SignedOutOnly({ children }: { children: ReactNode }) {
  const { status } = useAuthState()
  if (status === 'checking') return null
  return status === 'signed-in' ? <Navigate to="/dashboard" replace /> : children
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
        path="/login"
        element={
          <SignedOutOnly>
            <SignInPage />
          </SignedOutOnly>
        }
      />
      <Route
        path="/register"
        element={
          <SignedOutOnly>
            <SignUpPage />
          </SignedOutOnly>
        }
      />
      <Route path="/*" element={<Shell />} />
    </Routes>
  )
}
