import { useQueryClient } from '@tanstack/react-query'
import {
  Activity,
  type ContextType,
  type ReactNode,
  startTransition,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react'
import {
  UNSAFE_LocationContext as LocationContext,
  useLocation,
  useNavigate,
  useNavigation,
  useNavigationType,
  useOutlet,
} from 'react-router'
import { formatClock, useTimeZone } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { LinkButton, RetryButton } from '#kit/ui/button.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { ControlsOffContext } from '#kit/ui/controls-off.ts'
import { MeaningContext } from '#kit/ui/facts.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { useLastError } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { ProofGate } from '#wire/proof/proof-gate.tsx'
import { useAuthState, useUser } from '#wire/session/auth-context.ts'
import { UNAUTHORIZED_EVENT } from '#wire/session/session-token.ts'
import { RealTradingBanner } from '../features/bots/real/real-trading-banner.tsx'
import { isInLab, isStoredRule, LabTabs } from './lab-tabs.tsx'
import { NavigationBar } from './navigation-bar.tsx'
import { NAVIGATION, pageTitle } from './navigation-entries.tsx'
import css from './shell.module.css'
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

/**
 * While the trading service does not answer: says once how old the figures on the page are. When it is back, everything
 * is read again. The dashboard says so in its own words.
 */
function ConnectionBanner() {
  // Its clocks.
  useTimeZone()
  const queryClient = useQueryClient()
  const health = useHealth()
  const isAway = useLastError(health) !== null
  const wasAway = useRef(false)
  useEffect(() => {
    if (wasAway.current && !isAway) void queryClient.invalidateQueries()
    wasAway.current = isAway
  }, [queryClient, isAway])
  if (!isAway) return null
  // Looked at only now: who asks for it is drawn again at every reply.
  const { dataUpdatedAt } = health
  return (
    <Banner kind="error" title="The server does not answer" action={<RetryButton reply={health} />}>
      {dataUpdatedAt === 0
        ? 'Nothing could be read yet. It is asked again by itself.'
        : `Figures as of ${formatClock(dataUpdatedAt)}. It is asked again by itself.`}
    </Banner>
  )
}

/**
 * Signed out, the buttons of a page are dimmed and inert. A disabled fieldset does that for the mouse, the keyboard
 * and screen readers alike, whatever the page puts in it; links that look like buttons ask `useControlsOff`.
 */
function SignedOutFrame({ signedOut, children }: { signedOut: boolean; children: ReactNode }) {
  const { pathname, search } = useLocation()
  return (
    <>
      {signedOut && (
        <div className={css.signedOut}>
          <Banner
            kind="info"
            title="You are signed out"
            action={
              <LinkButton to={paths.login} state={{ endedAt: pathname + search }} size="small">
                Sign In
              </LinkButton>
            }
          >
            You see what is public. Buttons work once you have signed in.
          </Banner>
        </div>
      )}
      <fieldset disabled={signedOut} className={css.controls}>
        <ControlsOffContext value={signedOut}>{children}</ControlsOffContext>
      </fieldset>
    </>
  )
}

const KEPT: readonly string[] = [paths.dashboard, paths.backtest, paths.rule]

/** The page that an address is kept as: one editor has all rules. */
const pageOf = (pathname: string): string => (isStoredRule(pathname) ? paths.rule : pathname)

interface Kept {
  readonly page: ReactNode
  /** The address that it was last seen at. */
  readonly seen: ContextType<typeof LocationContext>
}

/** Shows the page of the address. Dashboard, Backtest and the rule editor stay after a first visit, hidden, as they were left. */
function KeptPages() {
  const outlet = useOutlet()
  const location = useLocation()
  const navigationType = useNavigationType()
  const { pathname } = location
  const next = useNavigation().location?.pathname
  const coming = next === undefined ? undefined : pageOf(next)
  const [kept, setKept] = useState<ReadonlyMap<string, Kept>>(new Map())
  const page = pageOf(pathname)
  const isKept = KEPT.includes(page)
  if (isKept && kept.get(page)?.page !== outlet)
    setKept(new Map(kept).set(page, { page: outlet, seen: { location, navigationType } }))
  const isLeft = coming !== undefined && coming !== page
  return (
    <>
      {[...kept].map(([path, { page: shown, seen }]) => (
        <Activity key={path} mode={path === page && !isLeft ? 'visible' : 'hidden'}>
          {/* Hidden, it goes on seeing the address that it had: a run or a symbol in its query is not lost to it. */}
          <LocationContext value={seen}>{shown}</LocationContext>
        </Activity>
      ))}
      {isLeft && <PageSkeleton />}
      {/* Hidden while the next page comes: what two pages below one address share is not lost between them. */}
      {!isKept && <Activity mode={isLeft ? 'hidden' : 'visible'}>{outlet}</Activity>}
    </>
  )
}

/** The place of a page whose code or session is on its way. */
const PageSkeleton = () => (
  <SkeletonGroup label="Loading the page">
    <h1 className={layout.visuallyHidden}>Loading the page</h1>
    <div className={css.skeleton}>
      <SkeletonBox width={180} height={28} />
      <div className={`${css.skeleton} ${css.skeletonCards}`}>
        <SkeletonBox height={320} />
        <SkeletonBox height={320} />
      </div>
    </div>
  </SkeletonGroup>
)
