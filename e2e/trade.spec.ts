import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBot, startBot } from '@shapecast/contracts/bot-changes'
import { botTrades } from '@shapecast/contracts/bot-trading'
import { generatedHours } from './candles.ts'
import { bringToken, signedIn } from './people.ts'
import { type Installation, install } from './server.ts'
import { expect, test } from './test.ts'

/** What a trader does day by day, on a phone: orders of the virtual account, alerts, and a look at the bots. */
test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

let home: Installation
let folder = ''

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shapecast-files-'))
  const file = await generatedHours(folder)
  // A day in a minute: a policy decides at the first close of each, and a price stands for a while.
  const from = String(file.last - 6_000 * 3_600_000)
  home = await install({ MARKET: 'replay', REPLAY_FROM: from, REPLAY_SPEED: '1440' })
  for (const symbol of ['BTCUSDT', 'ETHUSDT'])
    await home.run('import', file.path, '--symbol', symbol, '--timeframe', '1h')
  await home.start()
})

test.afterAll(async () => {
  await home.remove()
  await rm(folder, { recursive: true, force: true })
})

test('a limit order is placed and cancelled, a market order is bought with a stop, a bot’s position is closed', async ({
  page,
}) => {
  const { token, call } = await signedIn(home.address, 'mira')
  const { botId } = await call(createBot, {
    body: {
      name: 'Half',
      initialBalance: 1000,
      tradingPairs: ['BTCUSDT', 'ETHUSDT'],
      parameters: { policy: 'fixed_share' },
    },
  })
  await call(startBot, { params: { id: botId } })
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/trade`)
  await expect(page.getByText('Balance 10,000.00')).toBeVisible()

  // A press on a price of the chart fills the limit: here one below the last.
  const chart = page.locator('table canvas').first()
  await chart.scrollIntoViewIfNeeded()
  const box = (await chart.boundingBox())!
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height * 0.7)
  const price = page.getByRole('spinbutton', { name: 'Price' })
  await expect(price).not.toHaveValue('')
  await expect(page.getByText(/^[+−][\d.]+% from the live price$/)).toBeVisible()
  const last = Number(await price.inputValue())
  await price.fill(String(Math.floor(last / 2)))
  await page.getByRole('spinbutton', { name: 'Size' }).fill('0.01')
  await page.getByRole('button', { name: 'Place the order' }).click()
  const question = page.getByRole('dialog', { name: /^Buy 0.01/ })
  await question.getByRole('button', { name: /^Buy 0.01/ }).click()
  await expect(question).toBeHidden()
  const open = page.getByRole('table', { name: 'Open orders' })
  await expect(open).toContainText('Buy limit')
  await open.getByRole('button', { name: /^Cancel: Buy limit/ }).click()
  await expect(page.getByText('No order waits for its price.')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Order history' })).toContainText('Cancelled')

  await page.getByRole('button', { name: 'Market', exact: true }).click()
  await page.getByRole('button', { name: '10%', exact: true }).click()
  await page.getByRole('spinbutton', { name: /Stop loss/ }).fill(String(Math.floor(last / 4)))
  await page.getByRole('button', { name: /^Buy / }).last().click()
  const buy = page.getByRole('dialog').getByRole('button', { name: /^Buy / })
  // Where the price has moved by more than half a percent meanwhile, it is asked again.
  await expect(async () => {
    if (await buy.isVisible()) await buy.click()
    await expect(page.getByText(/^Bought /)).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await expect(page.getByRole('table', { name: 'My positions' })).toContainText('BTCUSDT')
  await expect(open).toContainText('Sell at stop')

  const positions = page.getByRole('table', { name: 'My positions' })
  await positions.getByRole('button', { name: 'More about BTCUSDT' }).click()
  await positions.getByRole('button', { name: 'Edit stop and target: BTCUSDT' }).click()
  const guards = page.getByRole('dialog', { name: /^Stop and target of/ })
  await guards.getByRole('spinbutton', { name: /Take profit/ }).fill(String(Math.ceil(last * 4)))
  await guards.getByRole('button', { name: 'Save' }).click()
  await expect(guards).toBeHidden()
  await expect(open).toContainText('Sell at target')
  await page.getByRole('button', { name: 'Cancel all' }).click()
  const all = page.getByRole('dialog', { name: 'Cancel 2 open orders?' })
  await expect(all).toContainText('2 of them are stops and targets')
  await all.getByRole('button', { name: 'Cancel all' }).click()
  await expect(page.getByText('No order waits for its price.')).toBeVisible()
  await expect(positions).toContainText('none / none')

  await page.goto(`${home.address}/trading`)
  await page.getByRole('button', { name: 'Close: Half, BTCUSDT' }).click({ timeout: 240_000 })
  const asked = page.getByRole('dialog', { name: 'Close the long of Half?' })
  await expect(asked).toContainText('expected to buy its share again')
  await asked.getByRole('button', { name: 'Close position' }).click()
  await expect(asked).toBeHidden()
  await expect
    .poll(async () => (await call(botTrades, { params: { id: botId } })).map(({ exitReason }) => exitReason), {
      timeout: 60_000,
    })
    .toContain('closed_by_hand')

  // What it would buy depends on the hour by then: a decision may have come first.
  await page.goto(`${home.address}/bots/${botId}?tab=weights`)
  await page.getByRole('button', { name: 'Rebalance now' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rebalance Half now?' })
  await expect(dialog).toContainText(/Buy BTC|Nothing to do|Try again/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('table', { name: 'Rebalances' })).toContainText('BTC and ETH bought')
})

test('equity is seen, a bot is opened that says why it holds, an alert is set and rings, and all bots are stopped', async ({
  page,
}) => {
  const { token, call } = await signedIn(home.address, 'mira')
  const { botId } = await call(createBot, {
    body: { name: 'Watched', initialBalance: 1000, parameters: { policy: 'fixed_share' } },
  })
  await call(startBot, { params: { id: botId } })
  const resting = { name: 'Resting', initialBalance: 1000, parameters: { policy: 'fixed_share' } } as const
  await call(startBot, { params: { id: (await call(createBot, { body: resting })).botId } })
  await bringToken(page, home.address, token)

  await page.goto(`${home.address}/settings/alerts`)
  await page.getByRole('button', { name: 'New alert' }).click()
  const alert = page.getByRole('dialog', { name: 'New alert' })
  await alert.getByRole('combobox', { name: 'Tell me about' }).click()
  await page.getByRole('option', { name: 'Indicator' }).click()
  // True within a few of these candles, of which one comes in 2.5 s.
  await alert.getByLabel('Condition').fill('close crosses above ema(3)')
  await alert.getByRole('button', { name: 'Save' }).click()
  await expect(alert).toBeHidden()
  await expect(page.getByText('close crosses above ema(3) on BTCUSDT 1h')).toBeVisible()

  await page.goto(`${home.address}/dashboard`)
  const equity = page.getByRole('region', { name: 'My equity' })
  await expect(equity).toContainText(/\d{1,3}(,\d{3})*\.\d{2}\s?USDT/)
  await page
    .getByRole('table', { name: 'Open positions' })
    .getByRole('link', { name: 'Watched' })
    .click({ timeout: 240_000 })
  await expect(page).toHaveURL(new RegExp(`/bots/${botId}$`))
  await expect(page.getByRole('region', { name: 'Open position' })).toContainText('BTC')
  await expect(page.getByText(/^(The last|Traded on|\d+ of the last) .*daily decision/)).toBeVisible()
  await expect(page.getByText('Next decision', { exact: true })).toBeVisible()

  await page.goto(`${home.address}/trading`)
  await page.getByRole('button', { name: 'Choose all that run' }).click()
  await page
    .getByRole('toolbar', { name: 'Bots that are chosen' })
    .getByRole('button', { name: /^Stop \d/ })
    .click()
  const stop = page.getByRole('dialog', { name: /^Stop \d bots?\?$/ })
  await stop.getByRole('radio', { name: /^Close them now/ }).check()
  await stop.getByRole('button', { name: 'Stop and close' }).click()
  await expect(page.getByRole('group', { name: 'Which bots are shown' }).getByText('Active')).toHaveCount(0)
  for (const name of ['Watched', 'Resting'])
    await expect(page.getByRole('article', { name, exact: true })).toContainText('Stopped')

  const bell = page.getByRole('button', { name: /^Notifications/ })
  await expect(async () => {
    await page.reload()
    await expect(bell).toHaveAccessibleName(/unread/, { timeout: 5_000 })
  }).toPass()
  await bell.click()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toContainText('close crosses above ema(3)')
})
