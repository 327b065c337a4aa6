import { BrowserRouter, useLocation } from 'react-router'
import { componentOf } from '#kit/ui/lazily.tsx'
import { browserToken } from '#wire/session/session-token.ts'
import { LandingPage } from '../features/auth/landing-page.tsx'
import { loadAhead, productCode } from './load-ahead.ts'

const Product = componentOf(productCode)

/** Somebody new sees the landing page at once: it needs neither the theme, nor the calls, nor the pages behind it. */
const isLanding = (path: string) => path === '/' && browserToken.read() === null

if (!isLanding(window.location.pathname)) void loadAhead(window.location.pathname)

function Entry() {
  const { pathname } = useLocation()
  if (isLanding(pathname)) return <LandingPage />
  return <Product />
}

export const App = () => (
  <BrowserRouter>
    <Entry />
  </BrowserRouter>
)
