import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backtestJob, backtestRun, backtestRuns, createBacktestJob } from '@shapecast/contracts/backtest'
import { createBot } from '@shapecast/contracts/bot-changes'
import { bots } from '@shapecast/contracts/bots'
import { seriesList } from '@shapecast/contracts/market'
import { train, trainingJob } from '@shapecast/contracts/trainings'
import { type CandleFile, hourlyBitcoin } from './candles.ts'
import { bringToken, cancelFirstModel, JOBS_END, PASSWORD, registeredAs, signedIn, trainModel } from './people.ts'
import { type Installation, install } from './server.ts'
import { expect, type Page, test } from './test.ts'

/**
 * The main job: import history, train a model, backtest a bot with it in the browser, read the result again later; and a
 * search on the same history, from its form to a bot that says what it is; at the end a power cut.
 */
test.describe.configure({ mode: 'serial' })

const MINUTE_MS = 60_000
const ENDED = /completed|failed|cancelled/
let home: Installation
let folder = ''
let file: CandleFile
let token = ''

const panel = (page: Page) => page.getByRole('region', { name: 'Parameters' })

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shapecast-files-'))
  file = await hourlyBitcoin(folder)
  home = await install({ MARKET: 'replay' })
})

test.afterAll(async () => {
  await home.remove()
  await rm(folder, { recursive: true, force: true })
})

test('imports the history by the command, with its gaps listed', async () => {
  const { stdout, code } = await home.run('import', file.path, '--symbol', 'BTCUSDT', '--timeframe', '1h', '--json')
  expect(code).toBe(0)
  const [report] = JSON.parse(stdout)
  expect(report).toMatchObject({ accepted: true, taken: file.candles, gapCount: file.gaps, last: file.last })
  expect(report.gaps).toHaveLength(file.gaps)
  await home.start()
})

test('the first account is the admin, and signs in with what it registered', async ({ page, allowInConsole }) => {
  allowInConsole(/status of 401 .*\/login|^Login failed/)
  await page.goto(`${home.address}/register`)
  await page.getByLabel('Username').fill('mira')
  await page.getByLabel('Email').fill('mira@example.org')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByLabel('Confirm password').fill('other')
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('banner')).toContainText('Admin')

  await page.getByRole('button', { name: /account/i }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await page.waitForURL('**/login')
  await page.getByLabel('Email').fill('mira@example.org')
  await page.getByLabel('Password', { exact: true }).fill('not the one')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/dashboard')
})

test('trains v3 on 5,000 candles and makes a bot with it', async () => {
  const { call, token: mine } = await signedIn(home.address, 'mira')
  token = mine
  await cancelFirstModel(call)
  const job = await trainModel(call, 'v3', 5_000, { epochs: 1 })
  expect(job).toMatchObject({ status: 'completed', error: null })
  await call(createBot, {
    body: {
      name: 'Northwind BTC',
      tradingPairs: ['BTCUSDT'],
      mlModelVersion: 'v3',
      positionSize: 0.015,
      maxDrawdown: 50,
      initialBalance: 1_000,
      marketType: 'futures',
      leverage: 10,
    },
  })
})

async function backtestNorthwind(page: Page): Promise<string> {
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/backtest`)
  await panel(page).getByLabel('Bot', { exact: true }).click()
  await page.getByRole('option', { name: /Northwind BTC/ }).click()
  await expect(panel(page)).toContainText('0.015 BTC')
  // It begins at 1,000, within the 30 days of the dates; a number that is typed moves their beginning.
  await expect(panel(page).getByLabel('Candles limit')).toHaveValue('1000')
  await panel(page).getByLabel('Candles limit').fill('999')
  await panel(page).getByLabel('Candles limit').fill('1000')
  // The part that the model has seen is tested too, so that the notice can be read.
  await expect(panel(page).getByRole('switch', { name: 'Unseen candles only' })).not.toBeChecked()
  await panel(page).getByRole('button', { name: 'Run Backtest' }).click()
  await expect(panel(page)).toContainText(/Completed in/, JOBS_END)
  await page.waitForURL(/run=/)
  return new URL(page.url()).searchParams.get('run') ?? ''
}

/** How the chart paints what the LSTM expected: in which layer, the share of columns with it, and how often it breaks off. */
const paintedForecast = (page: Page) =>
  page.getByRole('region', { name: 'Chart' }).evaluate((region) => {
    const layers = [...region.querySelectorAll('canvas')].map((canvas) => {
      const { width, height } = canvas
      const copy = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', {
        willReadFrequently: true,
      })
      copy?.drawImage(canvas, 0, 0)
      const pixels = copy?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
      const columns = Array.from({ length: width }, (_, x) => {
        for (let y = 0; y < height; y++) {
          const [r, g, b, a] = pixels.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)
          if (a! > 120 && b! > 180 && b! - r! > 60 && g! > r!) return true
        }
        return false
      })
      const painted = columns.slice(columns.indexOf(true), columns.lastIndexOf(true) + 1)
      const breaks = painted.filter((one, k) => k > 0 && one !== painted[k - 1]).length
      return {
        zIndex: canvas.style.zIndex,
        widthPx: painted.length,
        share: painted.filter(Boolean).length / width,
        breaks,
      }
    })
    return layers.sort((a, b) => b.breaks - a.breaks)[0]
  })

test('backtests the bot over the last 1,000 candles and reads the result after a restart', async ({
  page,
  allowInConsole,
}) => {
  // How much of the page asks again while the server restarts, a busy machine decides.
  allowInConsole(/net::ERR_(CONNECTION|EMPTY|INCOMPLETE)|status of 50[23]|could not be read/)
  const run = await backtestNorthwind(page)
  await expect(page.getByRole('heading', { name: 'Northwind BTC' })).toBeVisible()
  await expect(page.getByText('1,000 candles')).toBeVisible()
  await expect(page.getByText(/had seen \d+% of this range/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Chart' }).locator('canvas').first()).toBeVisible()
  for (const name of ['Long Entry', 'Short Entry', 'Profitable Exit', 'Loss Exit', 'Equity Curve', 'LSTM Prediction'])
    await expect(page.getByText(name, { exact: true }).first()).toBeVisible()
  const drawing = await page.getByRole('region', { name: 'Chart' }).locator('canvas').first().boundingBox()
  await page.mouse.move(drawing!.x + drawing!.width / 2, drawing!.y + drawing!.height / 3)
  for (let step = 0; step < 24; step++) await page.mouse.wheel(0, -120)
  await expect.poll(async () => (await paintedForecast(page))?.breaks).toBeGreaterThan(20)
  expect((await paintedForecast(page))?.zIndex).toBe('2')
  const trades = page.getByRole('region', { name: 'Trades' }).getByRole('row')
  await expect.poll(() => trades.count()).toBeGreaterThan(5)
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance).toContainText('Final')
  const shown = (await balance.textContent()) ?? ''
  await page.screenshot({ path: test.info().outputPath('backtest.png'), fullPage: true })

  expect(await home.stop()).toBe(0)
  await home.start()
  await page.goto(`${home.address}/backtest`)
  const saved = page.getByRole('region', { name: 'Saved Runs' })
  await expect(saved).toContainText('Northwind BTC')
  await expect(saved.getByRole('listitem').first()).toContainText(/\d+% seen/)
  await saved.getByRole('button', { name: /Open/ }).first().click()
  await expect(page).toHaveURL(new RegExp(`run=${run}`))
  await expect(balance).toHaveText(shown)
})

test('the same backtest again gives the same result', async ({ page }) => {
  await bringToken(page, home.address, token)
  const { call } = await signedIn(home.address, 'mira')
  const first = await call(backtestRuns, { query: { limit: 1 } })
  const again = await backtestNorthwind(page)
  const [before, after] = await Promise.all([
    call(backtestRun, { params: { id: first[0]?._id ?? '' } }),
    call(backtestRun, { params: { id: again } }),
  ])
  expect(after._id).not.toBe(before._id)
  expect(after.meta.hashes).toEqual(before.meta.hashes)
  expect(after.equityCurve).toEqual(before.equityCurve)
})

test('tests a model alone through a bot that is gone afterwards', async ({ page }) => {
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/backtest`)
  await panel(page).getByRole('button', { name: 'Model Only' }).click()
  await expect(panel(page).getByLabel('Model', { exact: true })).toContainText('v3 · production · acc')
  await expect(panel(page).getByLabel('Candles limit')).toHaveValue('1000')
  await panel(page).getByRole('button', { name: 'Run Backtest' }).click()
  await expect(panel(page)).toContainText(/Completed in/, JOBS_END)
  const { call } = await signedIn(home.address, 'mira')
  expect((await call(bots, {})).map((bot) => bot.name)).toEqual(['Northwind BTC'])
})

test('what fails is said in a red banner that can be dismissed', async ({ page, allowInConsole }) => {
  allowInConsole(/status of (404|500)|net::ERR_FAILED|could not be read|The worker was lost/)
  await bringToken(page, home.address, token)
  const alert = page.getByRole('alert')
  await page.route(/\/bot\/(api|public)\/bots$/, (route) =>
    route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } }),
  )
  await page.goto(`${home.address}/backtest`)
  await expect(alert).toContainText(/Failed to load bots list.*Something went wrong on our side/)
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await expect(alert).toHaveCount(0)
  await page.unrouteAll()
  await page.goto(`${home.address}/backtest?run=00000000-0000-4000-8000-000000000000`)
  await expect(alert).toContainText('This run could not be loaded')
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page).toHaveURL(/\/backtest$/)

  const jobs = /\/backtest\/jobs\/[^/]+$/
  const run = panel(page).getByRole('button', { name: 'Run Backtest' })
  await panel(page).getByRole('button', { name: 'Model Only' }).click()
  await page.route(jobs, async (route) => {
    const reply = await route.fetch()
    const { data } = await reply.json()
    await route.fulfill({ json: { data: { ...data, status: 'failed', error: 'The worker was lost.' } } })
  })
  await run.click()
  await expect(alert).toContainText(/Backtest failed with error.*The worker was lost/)
  await page.route(jobs, (route) => route.abort())
  await run.click()
  await expect(alert).toContainText(/Task status polling error.*cannot be reached/)
})

test('a user without the role sees why the button is off', async ({ page }) => {
  const other = await signedIn(home.address, 'nils')
  await bringToken(page, home.address, other.token)
  await page.goto(`${home.address}/backtest`)
  await expect(panel(page).getByRole('button', { name: 'Run disabled for your role' })).toBeDisabled()
})

test('a rule is searched, its verdict read, its settings taken anyway, and the kept part is spent', async ({
  page,
}) => {
  // Somebody who has tried nothing on these candles yet.
  const other = await registeredAs(
    'bot_manager',
    { address: home.address, boss: await signedIn(home.address, 'mira') },
    'sina',
  )
  await bringToken(page, home.address, other.token)
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

test('a model is trained again before each stretch, after the page has said how long that takes', async ({
  page,
  allowInConsole,
}) => {
  allowInConsole(/status of 422 .*walk-forwards\/ground|walk-forwards\/ground could not be read/)
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/backtest/walk-forward`)
  await page.getByRole('button', { name: 'Model', exact: true }).click()
  await page.getByLabel('Newest candles').fill('4000')
  await page.getByLabel('Train on').fill('1000')
  await page.getByLabel('Trade the next').fill('1000')
  await expect(page.getByText('v3 is trained on at least 1137 candles: train on more.')).toBeVisible()
  await page.getByLabel('Train on').fill('1200')
  // 4,000 less the fifth that is kept: 2 × 1,000 after 1,200.
  await expect(page.getByText(/^2 trainings of v3, about .* by the newest training here\./)).toBeVisible()
  await page.getByRole('button', { name: 'Walk forward' }).click()
  await page.waitForURL(/walk=/)
  await expect(page.getByRole('heading', { name: 'v3 trained again on BTCUSDT 1h' })).toBeVisible()
  await expect(page.getByRole('heading', { name: /of directions called right/ })).toBeVisible()
  await expect(page.getByText(/^Its one training says .* of itself, on 400 moves\./)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Folds of the walk' }).getByRole('row')).toHaveCount(4)
  await page.getByRole('link', { name: 'Change the plan' }).click()
  await expect(page.getByLabel('Train on')).toHaveValue('1200')
})

/** A power cut at the worst moment: the next start works, nothing is half there, the jobs go on. */
test('killed in an import, a training and a backtest: all of the file is there, or nothing; the jobs end', async () => {
  let { call } = await signedIn(home.address, 'mira')
  const runsSaved = async () => (await call(backtestRuns, { query: { limit: 100 } })).length
  const before = await runsSaved()
  const path = join(folder, 'ETHUSDT-1m.csv')
  const rows = 100_000
  const lines = Array.from({ length: rows }, (_, i) => `${1_600_000_020_000 + i * MINUTE_MS},10,11,9,10.5,1\n`)
  await writeFile(path, `timestamp,open,high,low,close,volume\n${lines.join('')}`)
  const training = await call(train, {
    body: { version: 'v3', symbol: 'BTCUSDT', limit: 5_000, params: { epochs: 3 } },
  })
  const importing = home.run('import', path, '--symbol', 'ETHUSDT', '--timeframe', '1m')
  const ofTraining = { params: { id: training.jobId } }
  await expect.poll(async () => (await call(trainingJob, ofTraining)).progress.current).toBeGreaterThan(0)
  const backtest = await call(createBacktestJob, {
    body: { mode: 'model', mlModelVersion: 'v3', symbol: 'BTCUSDT', timeframe: '1h', limit: 6_000 },
  })
  const ofBacktest = { params: { id: backtest.jobId } }
  await expect.poll(async () => (await call(backtestJob, ofBacktest)).status).not.toBe('queued')
  await home.kill()
  await importing
  await home.start()
  ;({ call } = await signedIn(home.address, 'mira'))
  const stored = (await call(seriesList, {})).find((series) => series.symbol === 'ETHUSDT')
  expect([undefined, rows]).toContain(stored?.candles)
  expect((await home.run('import', path, '--symbol', 'ETHUSDT', '--timeframe', '1m')).code).toBe(0)
  expect((await call(seriesList, {})).find((series) => series.symbol === 'ETHUSDT')?.candles).toBe(rows)
  await expect.poll(async () => (await call(backtestJob, ofBacktest)).status, JOBS_END).toMatch(ENDED)
  const job = await call(backtestJob, ofBacktest)
  if (job.status === 'completed') expect(await runsSaved()).toBe(before + 1)
  else expect(job.error).toMatch(/interrupted/i)
  await expect.poll(async () => (await call(trainingJob, ofTraining)).status, JOBS_END).toMatch(ENDED)
  const { status, error } = await call(trainingJob, ofTraining)
  expect(status === 'completed' || /interrupted/i.test(error ?? '')).toBe(true)
})
