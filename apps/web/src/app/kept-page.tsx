import { type ReactNode, useState } from 'react'
import { Route, Routes, useLocation } from 'react-router'
import { PageVisibilityContext } from '#kit/ui/page-visibility.ts'
import { ErrorBoundary } from './error-boundary.tsx'

/**
 * A page that is mounted at its first visit and only hidden after that, so that its state persists. While hidden it
 * goes on seeing the address that it had, so that a run or a symbol in its query is not lost to it.
 */
export function KeptPage({ path, children }: { path: string; children: ReactNode }) {
  const location = useLocation()
  const isActive = location.pathname === path
  const [kept, setKept] = useState(isActive ? location : null)
  if (isActive && kept !== location) setKept(location)
  if (kept === null) return null
  return (
    <div hidden={!isActive}>
      <PageVisibilityContext value={isActive}>
        <ErrorBoundary resetKey={kept.key}>
          <Routes location={kept}>
            <Route path={path} element={children} />
          </Routes>
        </ErrorBoundary>
      </PageVisibilityContext>
    </div>
  )
}
