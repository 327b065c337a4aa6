import { randomCandles } from '@shapecast/venues/testing/candle-files'
import { type LocalExchange, startLocalExchange } from '@shapecast/venues/testing/local-exchange/local-exchange'
import { bringToken, PASSWORD, signedIn } from './people.ts'
import { type Installation, install } from './server.ts'
import { expect, type Page, test } from './test.ts'

/** A bot whose orders go to an exchange, which runs on this machine, and the switch that stops them all. */
const MINUTE_MS = 60_000
const CANDLES = 3_000
let exchange: LocalExchange
let stopClock = () => {}
let home: Installation

test.beforeAll(async () => {
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  exchange = await startLocalExchange({
    series: { BTCUSDT: randomCandles(2 * CANDLES, nowMs - CANDLES * MINUTE_MS, '1m', 1) },
    startMs: nowMs,
    serverTime: Date.now,
  })
  stopClock = exchange.clock.run(1, 500)
  const urls = JSON.stringify(exchange.urls)
  home = await install({ MARKET: 'binance', MARKET_URLS: urls, SANDBOX_URLS: urls })
  await home.start()
})

test.afterAll(async () => {
  await home.remove()
  stopClock()
  await exchange.close()
})

for (const pointer of ['mouse', 'finger'] as const)
  test.describe(`with a ${pointer}`, () => {
    test.use({ hasTouch: pointer === 'finger' })

    test('a press on real money counts though what the settings did comes before its release', async ({ page }) => {
      const { token } = await signedIn(home.address, 'mira')
      await bringToken(page, home.address, token)
      let reply = () => {}
      const isDue = new Promise<void>((resolve) => {
        reply = resolve
      })
      await page.route('**/bots/preview', async (route) => {
        await isDue
        await route.continue()
      })
      await page.goto(`${home.address}/trading?create`)
      const form = page.getByRole('dialog', { name: 'Create Trading Bot' })
      await form.getByRole('radio', { name: /Fixed share/ }).check()
      await expect(form.getByLabel('Working it out')).toBeVisible()
      const real = form.getByRole('button', { name: 'Real money' })
      let before = { x: 0, y: 0, width: 0, height: 0 }
      // What else the form asks for has come: nothing but the held reply moves the button.
      await expect(async () => {
        await real.hover()
        before = (await real.boundingBox())!
        await page.waitForTimeout(1_000)
        expect(await real.boundingBox()).toEqual(before)
      }).toPass()
      const browser = await page.context().newCDPSession(page)
      const touch = (type: 'touchStart' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
        browser.send('Input.dispatchTouchEvent', { type, touchPoints })
      if (pointer === 'mouse') await page.mouse.down()
      else await touch('touchStart', [{ x: before.x + before.width / 2, y: before.y + before.height / 2 }])
      reply()
      await expect(form.getByLabel('Working it out')).toBeHidden()
      expect((await real.boundingBox())!.y).not.toBe(before.y)
      if (pointer === 'mouse') await page.mouse.up()
      else await touch('touchEnd', [])
      await expect(real).toHaveAttribute('aria-pressed', 'true')
    })
  })

test('a bot with real orders is started with the words, and the kill switch stops it until it is switched off', async ({
  page,
  allowInConsole,
}) => {
  // What asks for the password first.
  allowInConsole(/403 \(Forbidden\).*\/accounts\/keys/)
  const { token } = await signedIn(home.address, 'mira')
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/settings/exchange-keys`)
  const key = page.getByRole('region', { name: 'Add a key' })
  await key.getByLabel('API key').fill(exchange.credentials.apiKey)
  await key.getByLabel('Secret', { exact: true }).fill(exchange.credentials.secret)
  await key.getByRole('button', { name: 'Save key' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Your password').fill(PASSWORD)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'Test the key of Binance' }).click()
  await expect(page.getByText('Works: 10,000.00 USDT free')).toBeVisible()
  await tradeByHand(page)

  await page.goto(`${home.address}/trading?create`)
  const form = page.getByRole('dialog', { name: 'Create Trading Bot' })
  await form.getByLabel('Name').fill('Granite')
  await form.getByLabel('Initial balance').fill('100')
  await form.getByRole('radio', { name: /Fixed share/ }).check()
  const real = form.getByRole('button', { name: 'Real money' })
  await real.click()
  // What the bot trades with is seen before it is created.
  await expect(real).toHaveAttribute('aria-pressed', 'true', { timeout: 10_000 })
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  const card = page.getByRole('article', { name: 'Granite' })
  await expect(card).toContainText('Stopped')

  await card.getByRole('button', { name: 'Start' }).click()
  const ask = page.getByRole('dialog', { name: 'Start Granite with real money?' })
  const start = ask.getByRole('button', { name: 'Start with real money' })
  await ask.getByLabel('Your password').fill(PASSWORD)
  await expect(start).toBeDisabled()
  await ask.getByLabel('Type ‘real money’').fill('real money')
  await start.click()
  await expect(ask).toBeHidden()
  await expect(card).toContainText('Active')

  await page.getByRole('button', { name: 'Stop everything' }).click()
  const kill = page.getByRole('dialog', { name: 'Stop everything at the exchange?' })
  await expect(kill).toContainText('1 real bot stopped')
  await kill.getByLabel('Reason (optional)').fill('the exchange answers nonsense')
  await kill.getByRole('button', { name: 'Stop everything' }).click()
  const banner = page.getByRole('alert').filter({ hasText: 'Kill switch is on: real bots cannot trade' })
  await expect(banner).toContainText('Every order is cancelled.')
  await expect(banner).toContainText('Reason given: “the exchange answers nonsense”.')
  await expect(card).toContainText('Stopped')
  await expect(card).not.toContainText('Active')
  await page.goto(`${home.address}/settings`)
  await expect(banner).toBeVisible()

  await banner.getByRole('button', { name: 'Switch off' }).click()
  const allow = page.getByRole('dialog', { name: 'Switch the kill switch off?' })
  await allow.getByLabel('Your password').fill(PASSWORD)
  await allow.getByRole('button', { name: 'Allow real trading' }).click()
  await expect(banner).toHaveCount(0)
  await page.goto(`${home.address}/trading`)
  await expect(card).toContainText('Stopped')
})

/** A limit order of the own account at the exchange is placed and cancelled, and a market order is bought and sold there. */
async function tradeByHand(page: Page): Promise<void> {
  await page.goto(`${home.address}/trade?money=real`)
  await expect(page.getByText('Balance 10,000.00')).toBeVisible()
  const send = async (name: RegExp) => {
    const question = page.getByRole('dialog', { name })
    await expect(question).toContainText('Real money')
    await question.getByRole('button', { name }).click()
    await expect(question).toBeHidden()
  }
  await page.getByRole('button', { name: 'Limit', exact: true }).click()
  const price = page.getByRole('spinbutton', { name: 'Price' })
  await expect(price).not.toHaveValue('')
  const last = Number(await price.inputValue())
  await price.fill(String(Math.floor(0.9 * last)))
  await page.getByRole('spinbutton', { name: 'Size' }).fill('0.002')
  await page.getByRole('button', { name: 'Place the order' }).click()
  await send(/^Buy 0\.002/)
  await expect(page.getByRole('table', { name: 'Open orders' })).toContainText('Buy limit')
  expect(exchange.spot.book.open()).toHaveLength(1)
  await page.getByRole('button', { name: 'Cancel all' }).click()
  const all = page.getByRole('dialog', { name: 'Cancel 1 open order?' })
  await expect(all).toContainText('At the exchange, on your own account.')
  await all.getByRole('button', { name: 'Cancel all' }).click()
  await expect(page.getByText('No order waits for its price.')).toBeVisible()
  expect(exchange.spot.book.open()).toHaveLength(0)

  await page.getByRole('button', { name: 'Market', exact: true }).click()
  for (const side of ['Buy', 'Sell'] as const) {
    await page.getByRole('button', { name: side, exact: true }).first().click()
    await page.getByRole('spinbutton', { name: 'Size' }).fill('0.002')
    await page.getByRole('button', { name: new RegExp(`^${side} 0\\.002`) }).click()
    await send(new RegExp(`^${side} 0\\.002`))
    await expect(page.getByText(side === 'Buy' ? /^Bought 0\.002/ : /^Sold 0\.002/)).toBeVisible()
  }
  expect(exchange.spot.book.all.map(({ side, status }) => `${side} ${status}`)).toEqual([
    'BUY CANCELED',
    'BUY FILLED',
    'SELL FILLED',
  ])
}
