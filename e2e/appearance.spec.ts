import { join, resolve } from 'node:path'
import { openScreen } from './pictures/open-screen.ts'
import { type ReplayServer, startReplay } from './pictures/replay-server.ts'
import { SCREENS } from './pictures/screens.ts'
import { expect, type Page, test } from './test.ts'

/** Theme and time zone change on the page that is open: what it shows follows, what was typed stays. */
test.use({ timezoneId: 'America/New_York' })

let replay: ReplayServer
test.beforeAll(async () => {
  replay = await startReplay(join(resolve(import.meta.dirname, '..'), 'apps/web/dist'))
})
test.afterAll(() => replay.close())

async function open(page: Page, name: string, theme: 'dark' | 'light') {
  const screen = SCREENS.find((one) => one.name === name)!
  await openScreen(page, { origin: replay.origin, screen, width: 1440, theme, token: 'admin', ...replay.about })
}

async function chooseTheme(page: Page, name: 'Dark theme' | 'Light theme') {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}

test('another theme and time zone in the middle of a filled form: nothing typed is lost', async ({
  page,
  allowInConsole,
}) => {
  // What an order of another size slips is not among the stored replies.
  allowInConsole(/\/api\/slippage/)
  await open(page, 'backtest-run', 'dark')
  const parameters = page.getByRole('region', { name: 'Parameters' })
  const balance = parameters.getByLabel(/^Initial Balance/)
  await parameters.getByRole('button', { name: 'Model Only' }).click()
  await balance.fill('4321')
  await expect(page.getByText('Times in UTC')).toBeVisible()

  await chooseTheme(page, 'Light theme')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(243, 245, 248)')
  await expect(balance).toHaveValue('4321')

  const go = (label: string) => page.getByRole('navigation').getByRole('link', { name: label, exact: true }).click()
  await go('Dash')
  await page.getByRole('button', { name: 'Indicators and time' }).click()
  await page.getByRole('menuitemradio', { name: 'Local time' }).click()
  await go('Test')
  await expect(page.getByText('Times in local time')).toBeVisible()
  await expect(parameters.getByRole('button', { name: 'Model Only' })).toHaveAttribute('aria-pressed', 'true')
  await expect(balance).toHaveValue('4321')
})

test('a page that changes its theme looks as one that was opened with it, charts too', async ({ page }) => {
  await open(page, 'dashboard', 'light')
  await chooseTheme(page, 'Dark theme')
  await page.mouse.move(0, 0)
  // What is drawn over again has some edges a shade off; a surface left in the other theme is far more.
  await expect(page).toHaveScreenshot('dashboard-1440-dark.png', { maxDiffPixels: 60 })
})
