import { JOBS_END, PASSWORD, registeredAs, tabTo } from './people.ts'
import type { Installation } from './server.ts'
import { expect, type Page, test } from './test.ts'

/** The main path without a mouse: sign in, train a model, backtest it, create a bot. */
let home: Installation

test.beforeAll(async ({ shared }) => {
  home = shared
  await registeredAs('bot_manager', shared, 'kira')
})

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('from the sign-in to a bot with a model of one’s own, by keyboard alone', async ({ page, allowInConsole }) => {
  // What settings did is not worked out on prices that are made up.
  allowInConsole(
    /status of 422 .*\/bots\/preview$|POST \/api\/bots\/preview could not be read\. ApiError: This market is simulated/,
  )
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const goTo = async (label: string) => {
    await tabTo(page, page.getByRole('navigation').getByRole('link', { name: label, exact: true }).first())
    await press('Enter')
  }
  await page.goto(`${home.address}/login`)
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type('kira@example.org')
  await press('Tab')
  await page.keyboard.type(PASSWORD)
  await press('Enter')
  await page.waitForURL('**/dashboard')

  await goTo('Lern')
  const data = region(page, 'Data')
  await expect(data).toContainText('Candles by range')
  await tabTo(page, data.getByRole('button', { name: 'Training options' }))
  await press('Enter')
  await tabTo(page, data.getByLabel('Version'))
  await press('ControlOrMeta+a')
  await page.keyboard.type('v10')
  await tabTo(page, data.getByLabel('Epochs, at most'))
  await press('ControlOrMeta+a')
  await page.keyboard.type('1')
  await tabTo(page, data.getByRole('button', { name: 'Train latest' }))
  await press('Enter')
  const training = region(page, 'Training').getByRole('listitem', { name: 'Training v10 on BTCUSDT 1h' })
  await expect(training).toContainText('Trained', JOBS_END)

  await goTo('Test')
  const parameters = region(page, 'Parameters')
  // Without a bot it is chosen already, and Tab leads to what is chosen.
  await tabTo(page, parameters.getByRole('button', { name: 'Model Only' }))
  const model = parameters.getByLabel('Model', { exact: true })
  await tabTo(page, model)
  await press('Enter')
  const option = page.getByRole('option', { name: /^v10/ })
  await expect(option).toBeVisible()
  await page.keyboard.type('v10')
  await expect(option).toBeFocused()
  await press('Enter')
  await expect(model).toContainText('v10')
  await tabTo(page, parameters.getByRole('button', { name: 'Run Backtest' }))
  await press('Enter')
  await expect(parameters).toContainText(/Completed in/, JOBS_END)

  await goTo('Bots')
  await tabTo(page, page.getByRole('button', { name: 'Create First Bot' }))
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create Trading Bot' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Half Tide')
  await page.keyboard.press('Shift+Tab')
  await expect(dialog.getByRole('button', { name: 'Fill from a file' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(dialog.getByRole('button', { name: 'Use these' })).toBeFocused()
  await press('Enter')
  await expect(dialog.getByText('The recommended settings are in.')).toBeVisible()
  await tabTo(page, dialog.getByRole('button', { name: 'Create', exact: true }))
  await press('Enter')
  await expect(page.getByRole('article', { name: 'Half Tide' })).toContainText('Stopped')
})
