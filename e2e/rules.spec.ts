import { bringToken, signedIn } from './people.ts'
import { expect, type Page, test } from './test.ts'

/** A rule from its first text to a copy of it: saved, changed, shared, copied, and changed in two tabs at once. */

const FIRST = 'enter: close > sma(20)\nexit: close < sma(20)'
const SECOND = FIRST.replaceAll('20', '50')

/** Of previews as many as may be are under way: the page asks again. */
const BUSY = /status of 429 .*\/preview|Previews are under way/
const text = (page: Page) => page.getByLabel('Rule as text')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a rule is saved, changed, shared, and copied by somebody else', async ({
  page,
  secondPage,
  shared,
  allowInConsole,
}) => {
  allowInConsole(BUSY)
  const { address } = shared
  const [ann, ben] = [await signedIn(address, 'ann'), await signedIn(address, 'ben')]
  await bringToken(page, address, ann.token)
  await page.goto(`${address}/backtest/rule`)
  await text(page).fill('enter: close > smaa(20) time: 5')
  await expect(page.getByRole('button', { name: 'Save rule' })).toBeDisabled()
  await text(page).fill(FIRST)
  await press(page, 'Save rule')
  await page.getByLabel('Name').fill('Twenty days')
  await page.getByRole('dialog').getByRole('button', { name: 'Save rule' }).click()
  await page.waitForURL('**/backtest/rules/*')
  await expect(page.getByRole('heading', { name: 'Twenty days' })).toBeVisible()

  await text(page).fill(SECOND)
  await press(page, 'Save version 2')
  await expect(page.getByText('version 2', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'What changed' }).locator('del').first()).toHaveText('20')
  await press(page, 'More with this rule')
  await page.getByRole('menuitem', { name: 'Name and visibility…' }).click()
  await page.getByRole('switch', { name: 'Public' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Public', { exact: true })).toBeVisible()

  await bringToken(secondPage, address, ben.token)
  await secondPage.setViewportSize({ width: 360, height: 740 })
  await secondPage.goto(`${address}/backtest/rule`)
  await press(secondPage, 'Rules')
  await secondPage.getByLabel('Search names and texts').fill('twenty')
  await secondPage
    .getByRole('region', { name: 'Shared by others' })
    .getByRole('button', { name: 'Open Twenty days' })
    .click()
  await expect(text(secondPage)).toHaveValue(SECOND)
  await press(secondPage, 'Copy')
  await secondPage.getByRole('dialog').getByRole('button', { name: 'Save rule' }).click()
  await expect(secondPage.getByRole('heading', { name: 'Twenty days copy' })).toBeVisible()
  await expect(secondPage.getByText('version 1', { exact: true })).toBeVisible()
  expect(await secondPage.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('the second of two tabs is told what the first has saved, and loses nothing', async ({
  page,
  context,
  shared,
  allowInConsole,
}) => {
  allowInConsole(BUSY)
  allowInConsole(/status of 409 .*\/versions|saved meanwhile/)
  const { address } = shared
  const cleo = await signedIn(address, 'cleo')
  await bringToken(page, address, cleo.token)
  await page.goto(`${address}/backtest/rule`)
  await text(page).fill(FIRST)
  await press(page, 'Save rule')
  await page.getByLabel('Name').fill('Two tabs')
  await page.getByRole('dialog').getByRole('button', { name: 'Save rule' }).click()
  await page.waitForURL('**/backtest/rules/*')
  const other = await context.newPage()
  await other.goto(page.url())
  await text(other).fill(SECOND)
  await press(other, 'Save version 2')
  await expect(other.getByText('version 2', { exact: true })).toBeVisible()

  await text(page).fill(`${FIRST} time: 9`)
  await page.getByRole('button', { name: /^Save version/ }).click()
  await expect(page.getByText('Version 2 was saved meanwhile, in another tab or by an admin')).toBeVisible()
  await expect(text(page)).toHaveValue(`${FIRST} time: 9`)
  await press(page, 'Go on with mine')
  await press(page, 'Save version 3')
  await expect(page.getByText('version 3', { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'To', exact: true }).click()
  await expect(page.getByRole('option')).toHaveCount(3)
})
