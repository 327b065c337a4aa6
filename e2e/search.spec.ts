import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatedHours } from './candles.ts'
import { bringToken, signedIn } from './people.ts'
import { type Installation, install } from './server.ts'
import { expect, test } from './test.ts'

/** A search from its form to a bot that says what it is. */
let home: Installation
let folder = ''

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shapecast-files-'))
  const file = await generatedHours(folder)
  home = await install({ MARKET: 'replay' })
  await home.run('import', file.path, '--symbol', 'BTCUSDT', '--timeframe', '1h')
  await home.start()
})

test.afterAll(async () => {
  await home.remove()
  await rm(folder, { recursive: true, force: true })
})

test('a rule is searched, its verdict read, its settings taken anyway, and the kept part is spent', async ({
  page,
}) => {
  const { token } = await signedIn(home.address, 'mira')
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/backtest`)
  await page.getByRole('navigation', { name: 'Strategy lab' }).getByRole('link', { name: 'Search' }).click()
  await expect(page.getByText(/^Not opened yet/)).toBeVisible()

  await page.getByRole('checkbox', { name: 'Search stop', exact: true }).check()
  await page.getByLabel('Values of stop').fill('2, 4')
  await page.getByRole('button', { name: 'Search 70 combinations' }).click()
  await page.waitForURL(/search\?search=/)
  await expect(page.getByRole('heading', { name: /^(No better|More) than luck/ })).toBeVisible()
  await expect(page.getByText(/over 70 tries on this series/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'The best combinations' }).getByRole('row')).toHaveCount(7)

  await page
    .getByRole('button', { name: /^(Take anyway|Take these settings)$/ })
    .last()
    .click()
  await page.getByLabel('Name').fill('From a search')
  await page.getByRole('button', { name: 'Make a virtual bot' }).click()
  await page.waitForURL('**/bots/*')
  await expect(page.getByText(/Best of 70 combinations of a search/).first()).toBeVisible()

  await page.goto(`${home.address}/backtest/search`)
  await expect(page.getByText(/by a run of yours: the verdict may not use it/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Rule on BTCUSDT 1h' })).toBeVisible()
})
