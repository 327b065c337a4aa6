import { startTransition, useDeferredValue, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { MeaningContext } from '#kit/ui/explained.tsx'
import { Link } from '#kit/ui/link.tsx'
import { paths } from '#routes/paths.ts'
import { ProofGate } from '#wire/proof/proof-gate.tsx'
import { useAuthState, useUser } from '#wire/session/auth-context.ts'
import { UNAUTHORIZED_EVENT } from '#wire/session/session-token.ts'
import { RealTradingBanner } from '../features/bots/real/real-trading-banner.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { KeptPages } from './kept-pages.tsx'
import { isInLab, LabTabs } from './lab-tabs.tsx'
import { NavigationBar } from './navigation-bar.tsx'
import { NAVIGATION, pageTitle } from './navigation-entries.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import css from './shell.module.css'
import { SignedOutFrame } from './signed-out-frame.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

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
  )
}

/** Where each entry of the bar was left, so that it leads back to the same state, on a page below it too. */
function useKeptAddresses(): Readonly<Record<string, string>> {
  const { pathname, search } = useLocation()
  const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>({})
  const entry = NAVIGATION.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  const address = pathname + search
  if (entry !== undefined && addresses[entry.path] !== address) setAddresses({ ...addresses, [entry.path]: address })
  return addresses
}

/** A session that a service has ended leads to Sign In, and from there back to where one was. */
function useSessionEnd(): void {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const isSignedIn = useUser() !== null
  useEffect(() => {
    if (!isSignedIn) return
    const onEnd = () =>
      void navigate(paths.login, {
        replace: true,
        state: { notice: 'Your session has ended. Sign in to go on where you were.', endedAt: pathname + search },
      })
    window.addEventListener(UNAUTHORIZED_EVENT, onEnd)
    return () => window.removeEventListener(UNAUTHORIZED_EVENT, onEnd)
  }, [isSignedIn, navigate, pathname, search])
}
