import { AppRoutes } from './app-routes.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Providers } from './providers.tsx'

/** Everything behind the landing page. */
export const Product = () => (
  <Providers>
    <ErrorBoundary>
      <AppRoutes />
    </ErrorBoundary>
  </Providers>
)
