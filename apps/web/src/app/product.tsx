import { QueryClientProvider } from '@tanstack/react-query'
import { LucideProvider } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { AuthContext } from '#wire/session/auth-context.ts'
import { authSession, connectSession, queryClient } from './browser-session.ts'

/** Charts measure themselves on resize, and a page that was hidden has missed it. */
function useResizeAfterRouteChange() {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the event follows each change of the path
  useEffect(() => {
    window.dispatchEvent(new Event('resize'))
  }, [pathname])
}

/** Everything behind the landing page. */
export function Product() {
  const { pathname, search } = useLocation()
  useResizeAfterRouteChange()
  return (
    <Providers>
      {pathname.endsWith('/') ? <Navigate to={`${pathname.replace(/\/+$/, '')}${search}`} replace /> : <Outlet />}
    </Providers>
  )
}

/** What all pages find around them: icons, cache, session. */
function Providers({ children }: { children: ReactNode }) {
  useEffect(connectSession, [])
  return (
    <LucideProvider size={16} strokeWidth={1.6}>
      <QueryClientProvider client={queryClient}>
        <AuthContext value={authSession}>{children}</AuthContext>
      </QueryClientProvider>
    </LucideProvider>
  )
}
