import { codeOf } from '#kit/ui/lazily.tsx'
import { loadPage } from './data-center/load-page.ts'

/** The code of the pages, each a file of its own that is asked for when it is needed. */
export const signInCode = codeOf(async () => (await import('../features/auth/sign-in-page.tsx')).SignInPage)
export const signUpCode = codeOf(async () => (await import('../features/auth/sign-up-page.tsx')).SignUpPage)
export const resetCode = codeOf(async () => (await import('../features/auth/reset-page.tsx')).ResetPage)

export const dashboardCode = codeOf(
  async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
)
export const botsCode = codeOf(async () => (await import('../features/bots/list/bots-page.tsx')).BotsPage)
export const botCode = codeOf(async () => (await import('../features/bots/page/bot-page.tsx')).BotPage)
export const dataCenterCode = codeOf(async () => {
  const page = loadPage(window.location.pathname)
  const { DataCenterPage } = await import('./data-center/data-center-page.tsx')
  // What fails is asked for again, and reported, when it is drawn.
  await page.catch(() => undefined)
  return DataCenterPage
})
export const backtestCode = codeOf(async () => (await import('../features/backtest/backtest-page.tsx')).BacktestPage)
export const settingsCode = codeOf(async () => (await import('./settings-sections.tsx')).Settings)
