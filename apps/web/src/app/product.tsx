import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { Providers } from './providers.tsx'

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
