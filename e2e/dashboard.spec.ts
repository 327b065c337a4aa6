import { bringToken, signedIn } from './people.ts'
import type { Installation } from './server.ts'
import { expect, type Page, test } from './test.ts'

/** The dashboard's chart on a simulated market: what it shows, how it is moved, and what a trained model adds to it. */
test.describe.configure({ mode: 'serial' })

let home: Installation
let token = ''

const card = (page: Page) => page.getByRole('region', { name: 'BTC/USDT' })
const chart = (page: Page) => page.getByRole('application', { name: /BTC\/USDT 1h price chart/ })
const legend = (page: Page) => card(page).getByRole('list', { name: 'Legend' })
const reset = (page: Page) => card(page).getByRole('button', { name: 'Reset' })

async function open(page: Page): Promise<void> {
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/dashboard`)
  await expect(chart(page).locator('canvas').first()).toBeVisible()
}

/** Resolves in the page once what its last event has changed is drawn. */
async function drawn(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

/** Open, high, low and close of the candle at a share of the chart's width, read off its crosshair. */
async function candleAt(page: Page, shareOfWidth: number): Promise<string> {
  const box = await chart(page).boundingBox()
  if (box === null) throw new Error('the chart has no box')
  await page.mouse.move(box.x + 5, box.y + 5)
  await page.mouse.move(box.x + box.width * shareOfWidth, box.y + box.height / 2)
  await page.evaluate(drawn)
  return (await card(page).locator('dl').textContent()) ?? ''
}

test.beforeAll(async ({ shared }) => {
  home = shared
  ;({ token } = await signedIn(home.address, 'dora'))
})

test('shows the last hours and says that the market is simulated', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('Simulated market')
  await expect(card(page)).toContainText('1h')
  await expect(legend(page)).toContainText('EMA 20')
  await expect(card(page)).not.toContainText('Predictions did not load')
  const newest = card(page).getByRole('table').getByRole('row')
  await expect(newest).toHaveCount(25)
})

test('changes between candles and a line, with and without averages', async ({ page }) => {
  await open(page)
  await card(page).getByRole('button', { name: 'Line', exact: true }).click()
  await expect(legend(page)).toContainText('Close')
  await card(page).getByRole('button', { name: 'EMA' }).click()
  await expect(legend(page)).not.toContainText('EMA')
  await card(page).getByRole('button', { name: 'Candles' }).click()
  await expect(legend(page)).not.toContainText('Close')
})

test('draws indicators in panes of their own, whose figures the crosshair moves through, and saves a picture', async ({
  page,
}) => {
  await open(page)
  await card(page).getByRole('button', { name: 'Indicators and time' }).click()
  for (const name of ['MACD 12, 26, 9', 'ADX 14']) await page.getByRole('menuitemcheckbox', { name }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  for (const word of ['MACD signal', 'ADX 14', '+DI']) await expect(legend(page)).toContainText(word)
  const figures = async (share: number) => {
    await candleAt(page, share)
    return legend(page).textContent()
  }
  // The panes take a moment to be laid out, in which the pointer is over none.
  await expect(async () => expect(await figures(0.3)).not.toBe(await figures(0.7))).toPass()
  const saved = page.waitForEvent('download')
  await card(page).getByRole('button', { name: 'Indicators and time' }).click()
  await page.getByRole('menuitem', { name: 'Save as image' }).click()
  expect((await saved).suggestedFilename()).toBe('BTC-USDT-1h.png')
})

test('keeps a series at hand and lines that are drawn, over a reload', async ({ page }) => {
  await open(page)
  await card(page).getByRole('button', { name: 'Keep BTC/USDT 1h at hand' }).click()
  const hand = page.getByRole('list', { name: 'Watchlist' })
  await expect(hand.getByRole('button', { name: 'BTC/USDT 1h' })).toHaveAttribute('aria-current', 'true')
  const draw = async (kind: string, ...shares: [x: number, y: number][]) => {
    await card(page).getByRole('button', { name: 'Lines' }).click()
    await page.getByRole('menuitem', { name: kind }).click()
    await expect(page.getByRole('menu')).toHaveCount(0)
    const { width, height } = (await chart(page).boundingBox())!
    const note = card(page).getByText(/^Press on/)
    for (const [x, y] of shares) {
      const before = await note.textContent()
      // The chart's library takes a press within half a second of another for half a double click.
      await expect(async () => {
        await chart(page).click({ position: { x: x * width, y: y * height } })
        expect(await note.allTextContents()).not.toContain(before)
      }).toPass({ intervals: [600] })
    }
    await expect(note).toHaveCount(0)
  }
  await draw('Draw a horizontal line', [0.5, 0.3])
  await draw('Draw a trend line', [0.2, 0.6], [0.6, 0.2])
  await page.reload()
  await expect(hand.getByRole('button', { name: 'BTC/USDT 1h' })).toBeVisible()
  await card(page).getByRole('button', { name: 'Lines' }).click()
  await expect(page.getByRole('menuitem', { name: /^Remove the (line at [\d,.]+|trend line from )/ })).toHaveCount(2)
  await page.getByRole('menuitem', { name: 'Remove all lines' }).click()
  await card(page).getByRole('button', { name: 'Lines' }).click()
  await expect(page.getByRole('menuitem', { name: /^Remove/ })).toHaveCount(0)
})

test('is panned, zoomed and reset by the keyboard', async ({ page }) => {
  await open(page)
  await expect(reset(page)).toHaveCount(0)
  await chart(page).focus()
  // A wider axis label may move the plot by a pixel and with it the candle under a point: its neighbours count as it.
  const atFirst: (string | null)[] = []
  for (const share of [0.29, 0.3, 0.31]) atFirst.push(await candleAt(page, share))
  expect(atFirst[1]).toMatch(/O[\d,.]+H[\d,.]+L[\d,.]+C[\d,.]+/)
  const stands = async () => atFirst.includes(await candleAt(page, 0.3))
  await page.keyboard.press('ArrowLeft')
  await expect(reset(page)).toBeVisible()
  await expect.poll(stands).toBe(false)
  await page.keyboard.press('0')
  await expect(reset(page)).toHaveCount(0)
  await expect.poll(stands).toBe(true)
  for (const key of ['+', '-']) {
    await page.keyboard.press(key)
    await expect.poll(stands).toBe(false)
    await reset(page).press('Enter')
    await expect(reset(page)).toHaveCount(0)
    await expect.poll(stands).toBe(true)
  }
  await expect(chart(page)).toBeFocused()
})

test('has the lines, the marks and the fan of a model once one is trained', async ({ page, sharedModel: _ }) => {
  await open(page)
  await expect(legend(page)).toContainText(/LSTM\s*[\d,.]{4,}/)
  await expect(legend(page)).toContainText(/Transformer\s*[\d,.]{4,}/)
  await expect(legend(page)).toContainText('Range 50% and 90%')
  const newest = card(page).getByRole('table').getByRole('row').nth(1).getByRole('cell')
  // Where an hour turns just now, the prediction of its candle comes with the next loading.
  await expect(async () => {
    await open(page)
    await expect(newest.nth(-3)).toHaveText(/\d/, { timeout: 60_000 })
  }).toPass({ timeout: 600_000 })
  await page.screenshot({ path: test.info().outputPath('dashboard.png') })
})
