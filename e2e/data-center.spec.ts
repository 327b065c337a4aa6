import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBot } from '@shapecast/contracts/bot-changes'
import { bringToken, JOBS_END, registeredAs, type SignedIn, signedIn } from './people.ts'
import type { Installation } from './server.ts'
import { expect, type Page, test } from './test.ts'

/** The Data Center on a simulated market: from candles to a trained model that is judged, compared and promoted. */
test.describe.configure({ mode: 'serial' })

const HOUR_MS = 3_600_000

let home: Installation
let folder = ''
let call: SignedIn['call']
let token = ''

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const open = async (page: Page, search = '') => {
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/ml-analysis${search}`)
}
const overflowPx = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.beforeAll(async ({ shared }) => {
  folder = await mkdtemp(join(tmpdir(), 'shapecast-files-'))
  home = shared
  ;({ call, token } = await registeredAs('admin', shared, 'delia'))
})

test.afterAll(() => rm(folder, { recursive: true, force: true }))

test('chooses at most 5 coins, each once, and says what the range holds', async ({ page }) => {
  await open(page)
  const data = card(page, 'Data')
  await expect(data).toContainText('Candles by range 720 · export has 320 rows')
  await expect(data).toContainText('last 400 + warmup ≈99 excluded')
  const coins = data.getByRole('combobox', { name: 'Coins' })
  await coins.click()
  await expect(page.getByRole('option', { name: 'BTCUSDT' })).toHaveCount(0)
  for (const coin of ['ETHUSDT', 'SOLUSDT', 'ADAUSDT', 'LINKUSDT']) {
    await coins.fill(coin)
    await page.getByRole('option', { name: coin }).click()
  }
  await expect(data).toContainText('5 of 5')
  await coins.fill('DOT')
  await expect(page.getByRole('option', { name: 'DOTUSDT' })).toHaveAttribute('aria-disabled', 'true')
  await coins.fill('')
  await page.keyboard.press('Backspace')
  await expect(data).toContainText('4 of 5')
  await page.keyboard.press('Escape')

  await data.getByRole('button', { name: 'Preview' }).click()
  const cards = data.getByRole('list', { name: 'Preview' }).getByRole('listitem')
  await expect(cards).toHaveCount(3)
  await expect(cards.first()).toContainText(/BTCUSDT.*720 candles/)
  await expect(cards.first()).toContainText(/First candle: open [\d,.]+, close [\d,.]+/)
})

test('downloads the dataset under the name that the server gives it', async ({ page }) => {
  await open(page)
  const download = page.waitForEvent('download')
  await card(page, 'Data').getByRole('button', { name: 'Download Dataset' }).click()
  expect((await download).suggestedFilename()).toBe('dataset-BTCUSDT-1h-320.zip')
})

test('trains on the newest 5,000 candles where the range has too few, and shows the training live', async ({
  page,
}) => {
  await open(page)
  const data = card(page, 'Data')
  await data.getByRole('button', { name: 'Training options' }).click()
  await data.getByLabel('Version').fill('v7')
  await data.getByLabel('Epochs, at most').fill('500')
  await data.getByRole('button', { name: 'Train latest' }).click()
  await expect(data.getByText('Must be at most 100')).toBeVisible()
  await data.getByLabel('Epochs, at most').fill('1')
  await expect(data).toContainText('Train latest takes the newest 5,000 candles.')
  await data.getByRole('button', { name: 'Train latest' }).click()
  const training = card(page, 'Training')
  await expect(training.getByText('v7 on BTCUSDT 1h')).toBeVisible()
  await expect(training.getByRole('progressbar').first()).toBeVisible()
  await expect(training.getByRole('link', { name: 'v7 on BTCUSDT 1h' })).toBeVisible(JOBS_END)
  const row = training.getByRole('listitem', { name: 'Training v7 on BTCUSDT 1h' })
  await expect(row).toContainText('Trained: it predicts now')
  await expect(card(page, 'Models').getByRole('link', { name: 'v7', exact: true })).toBeVisible()
})

test('tests a model and moves it between stages with its evidence', async ({ page }) => {
  await open(page)
  const models = card(page, 'Models')
  const row = models.getByRole('listitem').filter({ hasText: 'v7' })
  await expect(row).toContainText(/acc \d+%/)
  await expect(row).toContainText(/BTC, 1h · 95% CI [\d.–]+ · baseline \d/)
  await row.getByRole('button', { name: 'Test v7' }).click()
  await expect(row.getByText(/^(BUY|SELL|HOLD)$/)).toBeVisible()
  if (await row.getByRole('button', { name: /Set Staging/ }).isVisible()) {
    await row.getByRole('button', { name: /Set Staging/ }).click()
    await page.getByRole('dialog', { name: 'v7 to staging?' }).getByRole('button', { name: 'Set Staging' }).click()
    await expect(row.getByText('staging', { exact: true })).toBeVisible()
  }
  await row.getByRole('button', { name: 'Production: v7' }).click()
  const dialog = page.getByRole('dialog', { name: 'v7 to production?' })
  await expect(dialog).toContainText('Reversal')
  await dialog.getByRole('button', { name: 'Production' }).click()
  await expect(row.getByText('production', { exact: true })).toBeVisible()
  await expect(row.getByText('current', { exact: true })).toBeVisible()
  await expect(models.getByText('Healthy', { exact: true })).toBeVisible()
})

test('a test that fails says why, or that it failed where the server said nothing', async ({
  page,
  allowInConsole,
}) => {
  allowInConsole(/(status of 422|net::ERR_FAILED) .*\/ml\/predict-multi/)
  await open(page)
  const row = card(page, 'Models').getByRole('listitem').filter({ hasText: 'v7' })
  const refused = { error: 'There are 61 candles; 300 are needed.', code: 'too_few_candles' }
  await page.route('**/api/ml/predict-multi', (route) => route.fulfill({ status: 422, json: refused }))
  await row.getByRole('button', { name: 'Test v7' }).click()
  await expect(row).toContainText('There are 61 candles; 300 are needed.')
  await page.route('**/api/ml/predict-multi', (route) => route.abort())
  await row.getByRole('button', { name: 'Test v7' }).click()
  await expect(row).toContainText('Test failed')
})

test('says on the page why a version was not moved, and leaves the focus where it was', async ({
  page,
  allowInConsole,
}) => {
  allowInConsole(/status of 403 .*\/stage/)
  await open(page)
  const models = card(page, 'Models')
  const refused = { error: 'Only admins and bot managers may do this.', code: 'forbidden' }
  await page.route('**/api/ml/models/v7/stage', (route) => route.fulfill({ status: 403, json: refused }))
  const button = models.getByRole('button', { name: 'Set Staging: v7' })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'v7 to staging?' }).getByRole('button', { name: 'Set Staging' }).click()
  await expect(models.getByRole('alert')).toContainText(
    /v7 stays in production.*Only admins and bot managers may do this/,
  )
  await expect(button).toBeFocused()
  await models.getByRole('button', { name: 'Dismiss' }).click()
  await expect(models.getByRole('alert')).toHaveCount(0)
})

test('keeps a dataset, starts from it, and forgets it', async ({ page }) => {
  await open(page, '?coins=ETHUSDT&timeframe=4h&from=2024-01-01&to=2024-12-31')
  const data = card(page, 'Data')
  await expect(data).toContainText('Candles by range 2,196 · export has 1,796 rows')
  await data.getByRole('button', { name: 'Save dataset' }).click()
  await expect(data).toContainText('Saved: ETHUSDT 4h, 1,796 rows')
  const saved = card(page, 'Datasets').getByRole('listitem', { name: 'ETHUSDT 4h, 1,796 rows' })
  await expect(saved).toContainText(/1 Jan – \d+ Oct 2024 · 1,796 rows · fingerprint [0-9a-f]{12}/)

  await open(page)
  await expect(data).toContainText('Candles by range 720')
  await saved.getByRole('button', { name: /^Use/ }).click()
  await expect(data).toContainText('The active dataset: ETHUSDT 4h, 1,796 rows')
  await page.reload()
  await expect(data).toContainText('Candles by range 2,196 · export has 1,796 rows')
  await expect(saved.getByText('active', { exact: true })).toBeVisible()
  const download = page.waitForEvent('download')
  await saved.getByRole('button', { name: /^Download/ }).click()
  expect((await download).suggestedFilename()).toBe('dataset-ETHUSDT-4h-1796.zip')

  await saved.getByRole('button', { name: /^Stop using/ }).click()
  await expect(data).toContainText('Candles by range 720')
  await saved.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog', { name: 'Delete dataset?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(card(page, 'Datasets')).toContainText('No saved datasets')
})

test('lists bots by their model and asks one for its prediction', async ({ page }) => {
  await call(createBot, { body: { name: 'Northwind BTC', mlModelVersion: 'v7' } })
  await open(page)
  const bots = card(page, 'Bots').getByRole('list', { name: 'Bots of v7' })
  await bots.getByRole('button', { name: 'refresh Northwind BTC' }).click()
  await expect(bots.getByText(/^(BUY|SELL|HOLD)$/)).toBeVisible()
})

test('shows the indicators of the first coin', async ({ page }) => {
  await open(page)
  const indicators = card(page, 'Technical Indicators')
  for (const name of ['RSI', 'Z-Score', 'Ultimate Oscillator', 'EMA 20', 'Bollinger upper', 'Bollinger lower'])
    await expect(indicators.getByText(name, { exact: true })).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('data-center.png'), fullPage: true })
})

test('a model page leads with its verdict, has the evidence in tabs, and gives its card away', async ({ page }) => {
  await open(page, '?model=v7')
  const verdict = card(page, 'Verdict')
  await expect(verdict.getByRole('heading', { level: 2 })).toHaveText(['Range', 'Direction', 'Traded plainly'])
  await expect(verdict).toContainText(/of \d+ did\./)
  await expect(card(page, 'Where the next close lands')).toContainText(/\d+ landed inside/)
  await page.getByRole('tab', { name: 'Direction' }).click()
  const direction = card(page, 'Direction')
  for (const words of ['95% CI', 'Always betting one way', 'Always betting on a reversal', 'Effective outcomes'])
    await expect(direction).toContainText(words)
  await page.getByRole('tab', { name: 'Provenance' }).click()
  await expect(page.getByRole('table', { name: /Losses of the LSTM by epoch/ })).toBeAttached()
  await expect(card(page, 'Trainings')).toContainText('predicts')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download card' }).click()
  expect((await download).suggestedFilename()).toMatch(/^card-v7-BTCUSDT-1h.*\.json$/)
  await page.screenshot({ path: test.info().outputPath('model-page.png'), fullPage: true })
})

test('a model page measures what its model looks at, when asked', async ({ page, sharedModel }) => {
  await open(page, `?model=${sharedModel}&tab=inputs`)
  const looksAt = card(page, 'What it looks at')
  await expect(looksAt).toContainText('Not measured yet')
  await looksAt.getByRole('button', { name: 'Measure' }).focus()
  await page.keyboard.press('Enter')
  await expect(looksAt.getByRole('button', { name: 'Measuring…' })).toBeDisabled()
  await expect(looksAt).toContainText('hold-out candles', JOBS_END)
})

test('compares two versions on the same candles', async ({ page, sharedModel }) => {
  await open(page, '?compare=v7')
  await expect(page.getByText('Choose at least 2 versions')).toBeVisible()
  const versions = page.getByRole('combobox', { name: 'Versions' })
  await versions.fill(sharedModel)
  await page.getByRole('option', { name: sharedModel }).click()
  await expect(page).toHaveURL(/compare\?versions=v7,v3/)
  await expect(page.getByRole('table', { name: 'Versions side by side' }).getByRole('row')).toHaveCount(3)
  await expect(card(page, 'Which is better?')).toContainText('v7 − v3')
  await expect(card(page, 'Voting together')).toContainText('Unanimous')
  await page.screenshot({ path: test.info().outputPath('compare.png'), fullPage: true })
})

test('shows the track record and what the chain ends in', async ({ page }) => {
  await open(page, '?record=v7')
  await expect(card(page, 'Leaderboard')).toBeVisible()
  await expect(card(page, 'What it said before it happened')).toContainText('No forecast has had its outcome yet')
  await expect(card(page, 'Drift')).toContainText('No live forecast has had its outcome yet')
  await card(page, 'Drift').getByText('How is this measured?').click()
  await expect(card(page, 'Drift').getByRole('list', { name: 'Features by stability index' })).toBeVisible()
  await expect(card(page, 'What it said before it happened')).toContainText('The next one is at the candle close of')
  await expect(card(page, 'The newest forecasts')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('record.png'), fullPage: true })
})

test('imports a file: a bad row is named, then skipped; the gap is listed', async ({ page, allowInConsole }) => {
  allowInConsole(/status of 422 .*\/candles\/import/)
  const first = Date.UTC(2023, 10, 1)
  const rows = Array.from({ length: 48 }, (_, i) => `${first + i * HOUR_MS},10,11,9,${i === 5 ? 'NaN' : '10.5'},1`)
  rows.splice(20, 2)
  const path = join(folder, 'ETHUSDT-1h-2023.csv')
  await writeFile(path, ['timestamp,open,high,low,close,volume', ...rows, ''].join('\n'))

  await open(page)
  await card(page, 'Data').getByRole('button', { name: 'Import' }).click()
  const area = card(page, 'Import candles')
  await area.getByLabel('File of candles').setInputFiles(path)
  await expect(area.getByLabel('Symbol')).toHaveValue('ETHUSDT')
  await area.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(area.getByRole('alert')).toContainText('was not imported')
  await expect(area).toContainText('Refused rows: 1')
  await area.getByLabel('Skip bad rows').check()
  await area.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(area).toContainText('Imported 45 candles of ETHUSDT 1h at replay')
  await expect(area).toContainText('Gaps: 2')
})

test('a user without the role sees no stages and no import; a visitor sees what is public', async ({
  page,
  secondPage,
}) => {
  const other = await signedIn(home.address, 'nils')
  await bringToken(page, home.address, other.token)
  await page.goto(`${home.address}/ml-analysis`)
  await expect(card(page, 'Models').getByRole('button', { name: 'Test v7' })).toBeEnabled()
  await expect(page.getByRole('button', { name: /Set Staging|^Production/ })).toHaveCount(0)
  await expect(card(page, 'Data').getByRole('button', { name: 'Import' })).toHaveCount(0)

  await secondPage.goto(`${home.address}/ml-analysis`)
  await expect(secondPage.getByText('You are signed out')).toBeVisible()
  await expect(card(secondPage, 'Models').getByRole('link', { name: 'v7', exact: true })).toBeVisible()
  await expect(card(secondPage, 'Data').getByRole('button', { name: 'Train latest' })).toBeDisabled()
  await expect(card(secondPage, 'Data').getByRole('combobox', { name: 'Timeframe' })).toBeDisabled()
  await expect(secondPage.getByText('Indicators unavailable (API keys required)')).toBeVisible()
})

test('keeps what was chosen in the address, and on the way back from a model page', async ({ page }) => {
  await open(page, '?coins=BTCUSDT,ETHUSDT&timeframe=4h&from=2024-01-01&to=2024-01-31')
  const data = card(page, 'Data')
  await expect(data).toContainText('2 of 5')
  await expect(data).toContainText('Candles by range 186')
  await card(page, 'Models').getByRole('link', { name: 'v7', exact: true }).click()
  await expect(card(page, 'Verdict')).toBeVisible()
  await page.getByRole('link', { name: 'Data Center' }).click()
  await expect(card(page, 'Data')).toContainText('Candles by range 186')
})

test('a version that does not exist says so and leads back', async ({ page, allowInConsole }) => {
  allowInConsole(/status of 404 .*\/v99|v99/)
  await open(page, '?model=v99')
  await expect(page.getByRole('alert')).toContainText('No model is called v99')
  await page.getByRole('link', { name: 'Data Center' }).click()
  await expect(card(page, 'Data')).toBeVisible()
})

test('a comparison fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, '?compare=v7,v3')
  await expect(page.getByText('v7').first()).toBeVisible()
  expect(await overflowPx(page)).toBe(0)
})
