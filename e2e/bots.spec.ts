import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBot } from '@shapecast/contracts/bot-changes'
import { botBalance } from '@shapecast/contracts/bot-trading'
import { bots } from '@shapecast/contracts/bots'
import { generatedHours } from './candles.ts'
import { bringToken, cancelFirstModel, signedIn, tabTo } from './people.ts'
import { type Installation, install } from './server.ts'
import { expect, test } from './test.ts'

/** A virtual bot from create to delete, by keyboard where it is made, while somebody else looks on. */
const HOUR_MS = 3_600_000
let home: Installation
let folder = ''

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shapecast-files-'))
  const file = await generatedHours(folder)
  // A day in six seconds: the policy decides at the first close of each.
  const from = String(file.last - 6_000 * HOUR_MS)
  home = await install({ MARKET: 'replay', REPLAY_FROM: from, REPLAY_SPEED: '14400' })
  await home.run('import', file.path, '--symbol', 'BTCUSDT', '--timeframe', '1h')
  await home.start()
  await cancelFirstModel((await signedIn(home.address, 'mira')).call)
})

test.afterAll(async () => {
  await home.remove()
  await rm(folder, { recursive: true, force: true })
})

test('a bot is created by keyboard, trades, is seen by another person, stops and is deleted', async ({
  page,
  secondPage: second,
}) => {
  const { token, call } = await signedIn(home.address, 'mira')
  const other = await signedIn(home.address, 'jonas')
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/trading`)
  await expect(page.getByText('No Trading Bots Yet')).toBeVisible()

  await tabTo(page, page.getByRole('button', { name: 'Create First Bot' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create Trading Bot' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Half Tide')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Half invested.')
  await page.keyboard.press('Tab')
  // Half of the default 10 USDT is below what the market takes.
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('100')
  await tabTo(page, dialog.getByRole('radio', { name: /Model signal/ }))
  const share = dialog.getByRole('radio', { name: /Fixed share/ })
  for (let presses = 0; !(await share.isChecked()) && presses < 6; presses++) await page.keyboard.press('ArrowDown')
  await expect(share).toBeChecked()
  await expect(dialog.getByRole('table', { name: 'What these settings did before' })).toContainText('BTC')
  await tabTo(page, dialog.getByRole('button', { name: 'Private' }))
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('button', { name: 'Public' })).toBeFocused()
  await page.keyboard.press('Space')
  await tabTo(page, dialog.getByRole('button', { name: 'Create', exact: true }))
  await page.keyboard.press('Enter')
  const card = page.getByRole('article', { name: 'Half Tide' })
  await expect(card).toContainText('Half the balance')
  await expect(dialog).toBeHidden()
  await card.getByRole('button', { name: 'Start' }).click()
  await expect(card).toContainText('Active')

  const { botId } = await call(createBot, {
    body: { name: 'Own affair', initialBalance: 100, parameters: { policy: 'fixed_share' } },
  })
  await bringToken(second, home.address, other.token)
  await second.goto(`${home.address}/trading`)
  const seen = second.getByRole('article', { name: 'Half Tide' })
  await expect(seen).toContainText('Read Only')
  await expect(seen.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  await expect(second.getByRole('article')).toHaveCount(1)
  await second.goto(`${home.address}/trading?bot=${botId}`)
  await expect(second.getByText('This bot does not exist, or its owner keeps it private')).toBeVisible()
  await second.getByRole('button', { name: 'Back to the bots' }).click()

  const made = (await call(bots, {})).find((bot) => bot.name === 'Half Tide')
  const ofBot = { params: { id: made?.id ?? '' } }
  // The order fills at the next candle; what the details hold then is what they show first.
  await expect.poll(async () => (await call(botBalance, ofBot)).positions).toHaveLength(1)
  await card.getByRole('button', { name: 'Open Half Tide' }).click()
  const details = page.getByRole('dialog', { name: 'Half Tide' })
  await expect(details.getByRole('region', { name: 'Open position' })).toContainText('Long')
  await details.getByRole('link', { name: 'Open page' }).click()
  await expect(page.getByRole('application', { name: /^Backtest chart/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Decisions' }).click()
  await expect(page.getByText(/did something\./)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Decisions' })).toContainText('Opened long')
  await page.getByRole('button', { name: 'Stop' }).click()
  const stopping = page.getByRole('dialog', { name: 'Stop Half Tide?' })
  await expect(stopping).toContainText(/Brings about [\d.]+ USDT after 0\.0\d of fee and slippage/)
  await stopping.getByRole('button', { name: 'Pause instead' }).click()
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await stopping.getByRole('radio', { name: /^Sell now/ }).click()
  await stopping.getByRole('button', { name: 'Stop and sell' }).click()
  await page.getByRole('tab', { name: 'Trades' }).click()
  await expect(page.getByRole('table', { name: 'Trades' })).toContainText('Stopped')
  await page.getByRole('link', { name: 'Back to the bots' }).click()
  // Others see it at their next read, which is half a minute away.
  await second.reload()
  await expect(seen).toContainText('Stopped')

  await card.getByRole('button', { name: 'More about Half Tide' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete Trading Bot?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(card).toHaveCount(0)
  await second.reload()
  await expect(second.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(seen).toHaveCount(0)
})
