import { BrowserRouter } from 'react-router'
import { AppRoutes } from './app-routes.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Providers } from './providers.tsx'

export const App = () => (
  <Providers>
    <ErrorBoundary>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
    </ErrorBoundary>
  </Providers>
)
