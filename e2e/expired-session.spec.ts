import type { Locator } from '@playwright/test'
import { logout } from '@shapecast/contracts/auth'
import { bringToken, PASSWORD, registeredAs, signedIn } from './people.ts'
import type { Installation } from './server.ts'
import { expect, type Page, test } from './test.ts'

/** A session that ends while somebody types: the sign-in leads back to the form, and what was typed is there. */
let home: Installation

test.beforeAll(async ({ shared, sharedModel: _ }) => {
  home = shared
  await registeredAs('bot_manager', shared, 'enno')
})

interface Form {
  readonly name: string
  readonly path: string
  /** Brings the form up, where the address does not. */
  open(page: Page): Promise<void>
  field(page: Page): Locator
  readonly typed: string
  submit(page: Page): Locator
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const FORMS: readonly Form[] = [
  {
    name: 'a new bot',
    path: '/trading?create',
    open: async () => {},
    field: (page) => dialog(page, 'Create Trading Bot').getByLabel('Name'),
    typed: 'Half Tide',
    submit: (page) => dialog(page, 'Create Trading Bot').getByRole('button', { name: 'Create', exact: true }),
  },
  {
    name: 'a task',
    path: '/settings/tasks',
    async open(page) {
      await page.getByRole('button', { name: 'Add Task' }).click()
      await dialog(page, 'Create New Task').getByLabel('Description').fill('Beside the price.')
    },
    field: (page) => dialog(page, 'Create New Task').getByLabel('Title'),
    typed: 'Show the spread',
    submit: (page) => dialog(page, 'Create New Task').getByRole('button', { name: 'Create' }),
  },
  {
    name: 'a backtest',
    path: '/backtest',
    open: (page) => region(page, 'Parameters').getByRole('button', { name: 'Model Only' }).click(),
    field: (page) => region(page, 'Parameters').getByLabel('Candles limit'),
    typed: '450',
    submit: (page) => region(page, 'Parameters').getByRole('button', { name: 'Run Backtest' }),
  },
  {
    name: 'a training',
    path: '/ml-analysis',
    open: (page) => region(page, 'Data').getByRole('button', { name: 'Training options' }).click(),
    field: (page) => region(page, 'Data').getByLabel('Version'),
    typed: 'v9',
    submit: (page) => region(page, 'Data').getByRole('button', { name: 'Train latest' }),
  },
]

for (const { name, path, open, field, typed, submit } of FORMS)
  test(`${name}: the session ends, and after the sign-in what was typed is there`, async ({ page, allowInConsole }) => {
    allowInConsole(/status of 401|could not be (read|started)|failed\. ApiError/)
    const { call, token } = await signedIn(home.address, 'enno')
    await bringToken(page, home.address, token)
    await page.goto(home.address + path)
    await open(page)
    await field(page).fill(typed)
    await expect(submit(page)).toBeEnabled()
    await call(logout, {})
    // Whatever the page reads by itself may hear of it before the form is sent.
    await expect(async () => {
      if (!page.url().includes('/login')) await submit(page).click({ timeout: 5_000 })
      await expect(page).toHaveURL(/\/login/, { timeout: 5_000 })
    }).toPass()

    await page.getByLabel('Email').fill('enno@example.org')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(field(page)).toHaveValue(typed)
    expect(new URL(page.url()).pathname).toBe(new URL(home.address + path).pathname)
    await expect(submit(page)).toBeEnabled()
  })
