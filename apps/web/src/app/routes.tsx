import type { ComponentType } from 'react'
import { type Params, type RouteObject, redirect } from 'react-router'
import { movedTo, paths } from '#routes/paths.ts'
import { browserToken } from '#wire/session/session-token.ts'
import { LandingPage } from '../features/auth/landing-page.tsx'
import { SessionCheck, SignedOutOnly } from './signed-out-only.tsx'

/** A page, whose code comes when its address is opened. */
const page = (path: string, Component: () => Promise<ComponentType>) => ({
  path,
  caseSensitive: true,
  lazy: async () => ({ Component: await Component() }),
})

/** Asks for what a page begins with as soon as its address is known. */
const asking = (
  ask: (reads: typeof import('./page-reads.ts'), params: Params) => void,
): Pick<RouteObject, 'loader' | 'shouldRevalidate'> => ({
  loader: async ({ params }) => {
    ask(await import('./page-reads.ts'), params)
    return null
  },
  shouldRevalidate: () => false,
})

/** Somebody who is signed in goes on to the dashboard. */
async function dashboardIfSignedIn() {
  if (browserToken.read() === null) return null
  const { authSession } = await import('./browser-session.ts')
  if (authSession.state().status === 'checking') await authSession.start()
  return authSession.state().status === 'signed-in' ? redirect(paths.dashboard) : null
}

const toDashboard = () => redirect(paths.dashboard)

const signedOutPages: RouteObject = {
  Component: SignedOutOnly,
  children: [
    page(paths.login, async () => (await import('../features/auth/sign-in-page.tsx')).SignInPage),
    page(paths.register, async () => (await import('../features/auth/sign-up-page.tsx')).SignUpPage),
    page(paths.forgot, async () => (await import('../features/auth/forgot-page.tsx')).ForgotPage),
    page(paths.reset, async () => (await import('../features/auth/reset-page.tsx')).ResetPage),
  ],
}

const dataCenter: RouteObject = {
  ...page(paths.dataCenter, async () => (await import('./data-center/home-search.tsx')).KeepHomeSearch),
  children: [
    {
      index: true,
      loader: async ({ request }) => {
        const moved = movedTo(new URL(request.url).searchParams)
        if (moved !== null) return redirect(moved)
        const reads = await import('./page-reads.ts')
        reads.askForDataCenter()
        return null
      },
      shouldRevalidate: ({ nextUrl }) => movedTo(nextUrl.searchParams) !== null,
      lazy: async () => ({ Component: (await import('./data-center/home-page.tsx')).HomePage }),
    },
    {
      ...page('models/:version', async () => (await import('../features/models/page/model-page.tsx')).ModelPage),
      ...asking((reads, { version }) => reads.askForModel(version ?? '')),
    },
    page('compare', async () => (await import('../features/models/compare/compare-page.tsx')).ComparePage),
    page('record', async () => (await import('../features/record/record-page.tsx')).RecordPage),
  ],
}

const settings: RouteObject = {
  ...page(paths.settings, async () => (await import('./settings-sections.tsx')).Settings),
  children: [
    page('', async () => (await import('./system-settings.tsx')).SystemSettings),
    page('tasks', async () => (await import('../features/tasks/task-board.tsx')).TaskBoard),
    page('glossary', async () => (await import('../features/settings/glossary-page.tsx')).GlossaryPage),
    page('profile', async () => (await import('../features/account/profile-page.tsx')).ProfilePage),
    page('security', async () => (await import('../features/account/security-page.tsx')).SecurityPage),
    page(
      'notifications',
      async () => (await import('../features/notifications/notifications-page.tsx')).NotificationsPage,
    ),
    page('users', async () => (await import('../features/users/users-page.tsx')).UsersPage),
    page('alerts', async () => (await import('../features/alerts/alerts-page.tsx')).AlertsPage),
    page('outlets', async () => (await import('../features/notifications/outlets-page.tsx')).OutletsPage),
    page('exchange-keys', async () => (await import('../features/settings/exchange-keys-page.tsx')).ExchangeKeysPage),
    page('failed-jobs', async () => (await import('../features/users/failed-jobs-page.tsx')).FailedJobsPage),
    page('audit', async () => (await import('../features/users/audit-page.tsx')).AuditPage),
  ],
}

const innerPages: RouteObject = {
  lazy: async () => ({ Component: (await import('./shell.tsx')).Shell }),
  children: [
    {
      lazy: async () => ({ ErrorBoundary: (await import('./page-error.tsx')).PageError }),
      children: [
        page(paths.dashboard, async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage),
        page(paths.bots, async () => (await import('../features/bots/list/bots-page.tsx')).BotsPage),
        page(paths.trade(), async () => (await import('../features/trade/trade-page.tsx')).TradePage),
        page(paths.bot(':id'), async () => (await import('../features/bots/page/bot-page.tsx')).BotPage),
        dataCenter,
        {
          ...page(paths.backtest, async () => (await import('../features/backtest/backtest-page.tsx')).BacktestPage),
          ...asking((reads) => reads.askForBacktest()),
        },
        page(paths.search(), async () => (await import('../features/lab/search/search-page.tsx')).SearchPage),
        page(paths.walkForward(), async () => (await import('../features/lab/walk/walk-page.tsx')).WalkPage),
        page(paths.batch(), async () => (await import('../features/lab/batch/batch-page.tsx')).BatchPage),
        // One page: what was typed into one rule stays while another is looked at.
        ...[paths.rule, paths.storedRule(':id')].map((path) =>
          page(path, async () => (await import('../features/lab/rule/rule-page.tsx')).RulePage),
        ),
        settings,
      ],
    },
  ],
}

/** Every page of the client. The landing page needs neither the theme, nor the calls, nor the code behind it. */
export const routes: RouteObject[] = [
  {
    ErrorBoundary: RootError,
    // What the page itself says is coming (build/frame.html) stands until the code is there.
    HydrateFallback: () => null,
    children: [
      {
        path: '/',
        Component: LandingPage,
        loader: dashboardIfSignedIn,
        HydrateFallback: () => browserToken.read() !== null && <SessionCheck />,
      },
      {
        lazy: async () => ({
          Component: (await import('./product.tsx')).Product,
          ErrorBoundary: (await import('./page-error.tsx')).PageError,
        }),
        children: [signedOutPages, innerPages],
      },
      { path: '*', loader: toDashboard },
    ],
  },
]

/** Where not even the frame of the pages could be loaded. */
function RootError() {
  return (
    <main style={{ padding: 24 }}>
      <title>Shapecast</title>
      <h1>The server does not answer</h1>
      <p>The page could not be loaded. Your session and your data are kept.</p>
      <button type="button" onClick={() => window.location.reload()}>
        Load it again
      </button>
    </main>
  )
}
