import type { Request, Route } from '@playwright/test'
import { createBot } from '@shapecast/contracts/bot-changes'
import type { Call } from '@shapecast/contracts/client'
import { createTask } from '@shapecast/contracts/tasks'
import { bringToken, registeredAs } from './people.ts'
import type { Installation } from './server.ts'
import { expect, type Page, test } from './test.ts'

/** What comes between a person and the product: a slow network, none, a server that restarts. */
let home: Installation
let call: Call
let token = ''

test.beforeAll(async ({ shared }) => {
  home = shared
  ;({ call, token } = await registeredAs('bot_manager', shared, 'ines'))
  await call(createBot, { body: { name: 'Northwind BTC', initialBalance: 100, parameters: { policy: 'fixed_share' } } })
  await call(createTask, { body: { title: 'Show open interest', description: 'As a pane.' } })
})

/** How much of the page has moved, and what of it. */
interface Shift {
  readonly value: number
  readonly moved: readonly string[]
}

/** Lets time pass in the page until `reached`: what asks again by itself does so then. */
async function letTimePass(page: Page, reached: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(10_000)
    await reached()
  }).toPass()
}

/** What counts as good is 0.1; pages whose places are known before their figures stay far below that. */
const MOST_SHIFT: Readonly<Record<string, number>> = { '/backtest': 0.05 }

for (const path of ['/dashboard', '/trading', '/backtest', '/ml-analysis', '/settings'])
  test(`on a slow network ${path} has its places before its figures, and nothing jumps`, async ({ page }) => {
    await bringToken(page, home.address, token)
    if (path === '/dashboard') {
      // A browser that has not seen this person learns first which steps are left; it knows where they stand from then on.
      await page.goto(home.address + path)
      await expect(page.getByRole('region', { name: 'Welcome, ines' })).toBeVisible()
    }
    await page.addInitScript(() => {
      const shifts: Shift[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Node | null }[] }
          shifts.push({ value, moved: sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? '') })
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const asked: Request[] = []
    let goOn = () => {}
    const seen = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route(/\/(bot|soc)\/(api|public)\/(?!auth\/profile|stream)/, async (route) => {
      asked.push(route.request())
      await seen
      await route.continue()
    })
    await page.goto(home.address + path)
    const waiting = page.getByRole('main').getByRole('status', { name: /^Loading/ })
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached()
    await expect(waiting).not.toHaveCount(0)
    goOn()
    await Promise.all(asked.map((request) => request.response()))
    await expect(waiting).toHaveCount(0)
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
    expect(
      shifts.reduce((sum, { value }) => sum + value, 0),
      JSON.stringify(shifts),
    ).toBeLessThan(MOST_SHIFT[path] ?? 0.1)
  })

test('without a network the page says how old it is, keeps what is typed, and goes on by itself', async ({
  page,
  context,
  allowInConsole,
}) => {
  allowInConsole(/net::ERR_(INTERNET_DISCONNECTED|NETWORK_CHANGED)|The server cannot be reached/)
  await page.clock.install()
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/settings/tasks`)
  await page.getByRole('button', { name: 'Add Task' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Task' })
  await dialog.getByLabel('Title').fill('Show the spread')
  await dialog.getByLabel('Description').fill('Beside the price.')
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByText('Failed to create task')).toBeVisible()
  await expect(dialog.getByLabel('Title')).toHaveValue('Show the spread')
  const banner = page.getByText(/^Figures as of \d\d:\d\d/)
  await letTimePass(page, () => expect(banner).toBeVisible({ timeout: 1_000 }))
  await context.setOffline(false)
  await expect(banner).toBeHidden()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('group', { name: 'Show the spread' })).toBeVisible()
})

test('while the server restarts the page says how old it is, and is up to date again by itself', async ({
  page,
  allowInConsole,
}) => {
  allowInConsole(
    /net::ERR_(CONNECTION|EMPTY|INCOMPLETE)|status of 50[23]|The server cannot be reached|could not be read/,
  )
  await page.clock.install()
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/trading`)
  await expect(page.getByRole('article', { name: 'Northwind BTC' })).toBeVisible()
  await home.stop()
  const banner = page.getByText(/^Figures as of \d\d:\d\d/)
  await letTimePass(page, () => expect(banner).toBeVisible({ timeout: 1_000 }))
  await expect(page.getByRole('article', { name: 'Northwind BTC' })).toBeVisible()
  await home.start()
  await call(createBot, {
    body: { name: 'Made meanwhile', initialBalance: 100, parameters: { policy: 'fixed_share' } },
  })
  await letTimePass(page, () => expect(banner).toBeHidden({ timeout: 1_000 }))
  await expect(page.getByRole('article', { name: 'Made meanwhile' })).toBeVisible()
})

test('a page that is left before it knows who is there signs nobody out', async ({ page, allowInConsole }) => {
  allowInConsole(/The server cannot be reached|Failed to fetch/)
  const late = (ms: number) => async (route: Route) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    // The page that asked may be gone.
    await route.continue().catch(() => undefined)
  }
  await bringToken(page, home.address, token)
  await page.route('**/api/auth/profile', late(3_000))
  await page.route('**/settings/glossary', late(800))
  await page.goto(`${home.address}/settings/notifications`, { waitUntil: 'commit' })
  await page.goto(`${home.address}/settings/glossary`)
  expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBe(token)
})
