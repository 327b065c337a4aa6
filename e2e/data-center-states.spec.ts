import { createBot } from '@shapecast/contracts/bot-changes'
import { train } from '@shapecast/contracts/trainings'
import { bringToken, JOBS_END, type SignedIn, signedIn } from './people.ts'
import type { Installation } from './server.ts'
import { expect, type Page, test } from './test.ts'

/** The Data Center while it loads, where calls fail, by keyboard alone, with long lists, and as time goes by. */
const API = /\/bot\/(api|public)\//

let home: Installation
let call: SignedIn['call']
let token = ''

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const open = async (page: Page, search = '') => {
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/ml-analysis${search}`)
}
const fail = (page: Page, path: RegExp) =>
  page.route(path, (route) =>
    route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } }),
  )

/** What replies wait for, and what lets them go on. */
function gate(): [Promise<void>, () => void] {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return [opened, () => open()]
}

test.beforeAll(async ({ shared }) => {
  home = shared
  ;({ call, token } = await signedIn(home.address, 'stella'))
})

test('offers the timeframes and nothing else', async ({ page }) => {
  await open(page)
  await card(page, 'Data').getByRole('combobox', { name: 'Timeframe' }).click()
  await expect(page.getByRole('option')).toHaveText(['1m', '5m', '15m', '30m', '1h', '4h', '1d'])
})

test('says what failed and why, with a way on', async ({ page, allowInConsole }) => {
  allowInConsole(/status of 500|could not be read\. ApiError: Something went wrong on our side/)
  await fail(page, API)
  await open(page)
  const models = card(page, 'Models')
  await expect(models.getByRole('alert')).toContainText(/The models could not be loaded.*Something went wrong/)
  await expect(models).toContainText('Unknown')
  await expect(card(page, 'Bots')).toContainText('No bots found')
  await expect(card(page, 'Bots')).toContainText('The list could not be loaded')
  await expect(card(page, 'Training')).toContainText('The trainings could not be loaded')
  await expect(card(page, 'Technical Indicators')).toContainText('Indicators unavailable')
  await expect(card(page, 'Data')).toContainText('The coins could not be loaded')
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/ml/models'))
  await models.getByRole('button', { name: 'Try again' }).click()
  await asked
  await page.unroute(API)
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  await expect(models.getByRole('alert')).toHaveCount(0)
  await expect(card(page, 'Data')).toContainText('1 of 5')
})

for (const [search, words] of [
  ['?coins=', 'Choose a coin first'],
  ['?from=2024-04-21&to=2024-04-20', 'Correct the dates first'],
] as const)
  test(`buttons that are off say why: ${words}`, async ({ page }) => {
    await open(page, search)
    for (const name of ['Preview', 'Download Dataset', 'Train latest']) {
      const button = card(page, 'Data').getByRole('button', { name })
      await expect(button).toBeDisabled()
      await expect(button).toHaveAttribute('title', words)
    }
  })

test('a server that fails is not taken for one that refuses to train', async ({ page, allowInConsole }) => {
  allowInConsole(/status of 500 .*\/ml\/train$|Training v3 on BTCUSDT could not be started/)
  await fail(page, /\/api\/ml\/train$/)
  await open(page)
  await card(page, 'Data').getByRole('button', { name: 'Train latest' }).click()
  await expect(card(page, 'Data').getByRole('alert')).toContainText('BTCUSDT could not be sent to training')
})

test('a button keeps the focus of the keyboard while it works, and after', async ({ page }) => {
  const [seen, goOn] = gate()
  await page.route(/dataset\/preview/, async (route) => {
    await seen
    await route.continue()
  })
  await open(page)
  const data = card(page, 'Data')
  await expect(data).toContainText('1 of 5')
  await data.getByRole('button', { name: 'Preview' }).focus()
  await page.keyboard.press('Enter')
  const busy = data.getByRole('button', { name: 'Loading…' })
  await expect(busy).toHaveAttribute('aria-disabled', 'true')
  await expect(busy).toBeFocused()
  goOn()
  await expect(data.getByRole('list', { name: 'Preview' })).toContainText('BTCUSDT')
  await expect(data.getByRole('button', { name: 'Preview' })).toBeFocused()
})

test('a training that is cancelled by the keyboard leaves the focus in its row', async ({ page }) => {
  const body = { version: 'v6', symbol: 'BTCUSDT', timeframe: '1h', limit: 5_000, params: { epochs: 100 } } as const
  await call(train, { body })
  await open(page)
  const row = card(page, 'Training').getByRole('listitem', { name: 'Training v6 on BTCUSDT 1h' })
  await row.getByRole('button', { name: /^Cancel/ }).press('Enter')
  await expect(row).toContainText('Cancelled', JOBS_END)
  await expect(row.getByRole('button', { name: /^Train again/ })).toBeFocused()
})

test('a long list shows its first rows, and all of them when asked', async ({ page }) => {
  for (let i = 0; i < 14; i++)
    await call(createBot, {
      body: { name: `Bot ${i + 10}`, initialBalance: 100, parameters: { policy: 'fixed_share' } },
    })
  await open(page)
  const rows = card(page, 'Bots').getByRole('list', { name: 'Bots without a model' }).getByRole('listitem')
  await expect(rows).toHaveCount(12)
  await card(page, 'Bots').getByRole('button', { name: 'Show all 14 bots' }).press('Enter')
  await expect(rows).toHaveCount(14)
})

test('asks for models, bots and indicators again every 30 seconds', async ({ page }) => {
  await page.clock.install()
  await open(page)
  await expect(card(page, 'Technical Indicators').getByRole('meter', { name: 'RSI' })).toBeVisible()
  const asked = ['/api/ml/models', '/api/ml/health', '/api/bots', '/api/ml/indicators'].map((path) =>
    page.waitForRequest((request) => new URL(request.url()).pathname.endsWith(path)),
  )
  await page.clock.fastForward(31_000)
  await Promise.all(asked)
})
