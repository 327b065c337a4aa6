import { loadView } from './data-center/load-view.ts'

/** The code of the pages, each a file of its own that is asked for when it is needed. */
export const loadSignIn = async () => ({ default: (await import('../features/auth/sign-in-page.tsx')).SignInPage })
export const loadSignUp = async () => ({ default: (await import('../features/auth/sign-up-page.tsx')).SignUpPage })
export const loadReset = async () => ({ default: (await import('../features/auth/reset-page.tsx')).ResetPage })

export const loadDashboard = async () => ({
  default: (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
})
export const loadBots = async () => ({ default: (await import('../features/bots/bots-page.tsx')).BotsPage })
export const loadDataCenter = async () => {
  loadView(window.location.search)
  return { default: (await import('./data-center/data-center-page.tsx')).DataCenterPage }
}
export const loadBacktest = async () => ({
  default: (await import('../features/backtest/backtest-page.tsx')).BacktestPage,
})
export const loadSettings = async () => ({ default: (await import('./settings-sections.tsx')).Settings })
