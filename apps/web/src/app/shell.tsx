import { ThemeProvider } from '@mui/material'
import { startTransition, useDeferredValue, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { theme } from '#kit/theme/theme.ts'
import { MeaningContext } from '#kit/ui/explained.tsx'
import { Link } from '#kit/ui/link.tsx'
import { paths } from '#routes/paths.ts'
import { ProofGate } from '#wire/proof/proof-gate.tsx'
import { useAuthState } from '#wire/session/auth-context.ts'
import { RealTradingBanner } from '../features/bots/real/real-trading-banner.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { KeptPages } from './kept-pages.tsx'
import { isInLab, LabTabs } from './lab-tabs.tsx'
import { NavigationBar } from './navigation-bar.tsx'
import { pageTitle } from './navigation-entries.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import css from './shell.module.css'
import { SignedOutFrame } from './signed-out-frame.tsx'
import { useKeptAddresses } from './use-kept-addresses.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useSessionEnd } from './use-session-end.ts'

/** What the words on the screen mean, once that has come: nobody asks before the page is there. */
function useMeanings() {
  const [meaningOf, setMeaningOf] = useState<(label: string) => string | undefined>(() => () => undefined)
  useEffect(() => {
    import('#entities/terms/meaning-of.ts').then(
      (terms) => startTransition(() => setMeaningOf(() => terms.meaningOf)),
      // Without it words are shown plain.
      () => undefined,
    )
  }, [])
  return meaningOf
}

/** The main layout of the five inner pages: the bar, and a container up to 1728 px wide but for the dashboard. */
export function Shell() {
  const { pathname } = useLocation()
  const { status, user } = useAuthState()
  const isChecking = status === 'checking'
  // Deferred, the page is drawn in slices, and the bar is seen before it.
  const wasChecking = useDeferredValue(isChecking)
  const addresses = useKeptAddresses()
  useSessionEnd()
  useKeptFocus()
  return (
    <ThemeProvider theme={theme}>
      <MeaningContext value={useMeanings()}>
        <title>{`${pageTitle(pathname)} · Shapecast`}</title>
        <Link href="#content" className={css.skip}>
          Skip to content
        </Link>
        <NavigationBar addresses={addresses} />
        {isInLab(pathname) && <LabTabs />}
        <main
          id="content"
          tabIndex={-1}
          className={pathname === paths.dashboard ? `${css.main} ${css.dashboard}` : css.main}
        >
          <div className={css.banners}>
            {pathname !== paths.dashboard && <ConnectionBanner />}
            {user?.role === 'admin' && <RealTradingBanner />}
          </div>
          {isChecking || wasChecking ? (
            <PageSkeleton />
          ) : (
            // A page belongs to the person who looks at it: it starts again when that changes.
            <SignedOutFrame key={user?.id ?? 'nobody'} signedOut={status === 'signed-out'}>
              <KeptPages />
            </SignedOutFrame>
          )}
        </main>
        <ProofGate />
      </MeaningContext>
    </ThemeProvider>
  )
}
