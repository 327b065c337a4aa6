import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { bringToken, signedIn } from './people.ts'
import type { Installation } from './server.ts'
import { expect, type Page, test } from './test.ts'

/** A network from PyTorch goes in through the browser, is judged, and comes out again. */
test.describe.configure({ mode: 'serial' })

const NETWORK = resolve(import.meta.dirname, '../packages/ml/src/foreign/testing/pytorch-gru.onnx')
const CARD = {
  format: 'shapecast-foreign-model',
  formatVersion: 1,
  name: 'A GRU from PyTorch',
  author: 'Ada',
  timeframe: '1d',
  lookback: 16,
  inputs: [{ name: 'return_1' }, { name: 'range' }, { name: 'log_sigma' }, { name: 'volume_z' }],
  clip: 5,
}

let home: Installation
let token = ''

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const open = async (page: Page, search = '') => {
  await bringToken(page, home.address, token)
  await page.goto(`${home.address}/ml-analysis${search}`)
}
const overflowPx = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const files = async (card: object) => [
  { name: 'my gru.onnx', mimeType: 'application/octet-stream', buffer: await readFile(NETWORK) },
  { name: 'card.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(card)) },
]

const DAY_MS = 86_400_000
/** Three times what these tests take: to wait longer for midnight would end the whole run too late. */
const LASTS_MS = 90_000

test.beforeAll(async ({ shared }) => {
  // With the day's candle a prediction of the upload would go on record, and its name with it.
  const leftMs = DAY_MS - (Date.now() % DAY_MS)
  if (leftMs < LASTS_MS) await new Promise((resolve) => setTimeout(resolve, leftMs + 1_000))
  home = shared
  token = (await signedIn(home.address, 'uma')).token
})

test('a file that does not fit its card is refused with the reason beside it', async ({ page, allowInConsole }) => {
  allowInConsole(/status of 422 .*\/upload/)
  await open(page)
  await region(page, 'Data').getByRole('button', { name: 'Upload' }).click()
  const upload = region(page, 'Upload a model')
  await expect(upload.getByRole('button', { name: 'Upload', exact: true })).toBeDisabled()
  await upload.getByLabel('ONNX file').setInputFiles(await files({ ...CARD, lookback: 17 }))
  await expect(upload.getByLabel('Version')).toHaveValue('my-gru')
  await expect(upload.getByLabel('What the card says')).toContainText('A GRU from PyTorch, by Ada')
  await expect(upload.getByLabel('What the card says')).toContainText('17 candles of 1d')
  await upload.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(upload.getByRole('alert')).toContainText('should be [batch, 17, 4]')
  await expect(upload.getByLabel('ONNX file')).toHaveAttribute('aria-invalid', 'true')
})

test('one that fits is judged, shown with what is known of it, and downloaded as it came', async ({ page }) => {
  await open(page)
  await region(page, 'Data').getByRole('button', { name: 'Upload' }).click()
  const upload = region(page, 'Upload a model')
  const [first, ...rest] = CARD.inputs
  await upload
    .getByLabel('Card of the model')
    .setInputFiles(await files({ ...CARD, inputs: [first, ...rest.map((input) => ({ ...input, symbol: 'ETHUSDT' }))] }))
  await expect(upload.getByRole('table', { name: 'Series it needs' })).toContainText('ETHUSDT 1d')
  await upload.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(upload).toContainText('my-gru is uploaded')
  await expect(upload).toContainText('It predicts BTCUSDT 1d for my-gru, in staging.')
  await upload.getByRole('link', { name: 'Open its page' }).click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('my-gru')
  const note = region(page, 'A GRU from PyTorch')
  await expect(note).toContainText('Uploaded')
  await expect(note).toContainText('by Ada')
  await expect(note).toContainText('Nobody here knows what it has seen')
  await expect(note.getByRole('table', { name: 'Series it needs' })).toContainText('ETHUSDT 1d')
  await page.getByRole('tab', { name: 'Provenance' }).click()
  await expect(region(page, 'Learning curves')).toHaveCount(0)
  await expect(region(page, 'What it is made of')).toContainText('not told')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download ONNX' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(/^onnx-my-gru-BTCUSDT-1d-[0-9a-f]{12}\.zip$/)
  const zip = await readFile(await saved.path())
  expect(zip.includes('model.onnx')).toBe(true)
  await page.getByRole('link', { name: 'Create a bot' }).click()
  await expect(page.getByRole('dialog')).toContainText('my-gru')
})

test('says what a file must look like, and fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page)
  // On a phone the form is folded as soon as there are models.
  await page.getByRole('button', { name: /^Data and training/ }).click()
  await region(page, 'Data').getByRole('button', { name: 'Upload' }).click()
  const upload = region(page, 'Upload a model')
  await upload.getByRole('button', { name: 'What must the file look like?' }).press('Enter')
  const help = page.getByRole('dialog', { name: 'What must the file look like?' })
  const download = page.waitForEvent('download')
  await help.getByRole('button', { name: 'Card template' }).click()
  const template = JSON.parse((await readFile(await (await download).path())).toString())
  expect(template.format).toBe('shapecast-foreign-model')
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await upload.getByLabel('ONNX file').setInputFiles(await files(CARD))
  await expect(upload.getByLabel('What the card says')).toBeVisible()
  expect(await overflowPx(page)).toBe(0)
})

test('who uploaded it deletes it, and its name is free again', async ({ page }) => {
  await open(page, '?model=my-gru')
  await region(page, 'A GRU from PyTorch').getByRole('button', { name: 'Delete upload' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this upload?' })
  await expect(dialog).toContainText('my-gru on BTCUSDT 1d')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(region(page, 'Models')).toBeVisible()
  await expect(page.getByRole('link', { name: 'my-gru' })).toHaveCount(0)
})
