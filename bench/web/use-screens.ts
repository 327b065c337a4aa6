import type { Browser, Page } from '@playwright/test'
import { openContext } from './first-load.ts'

const ENTRIES = ['Bots', 'Lern', 'Test', 'Dash'] as const
const WARM_UPS = 2

/** How long something took, ms, and what it was. */
export interface Timed {
  readonly ms: number
  readonly name: string
}

async function go(page: Page, entry: string): Promise<void> {
  const before = (await page.evaluate('probe.routes.length')) as number
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry, exact: true }).click()
  while (((await page.evaluate('probe.routes.length')) as number) === before) await page.waitForTimeout(20)
}

/** Presses and keys as a person gives them, on the pages that have most to draw. */
async function work(page: Page): Promise<void> {
  const openAndClose = async (name: string | RegExp) => {
    await page.getByRole('button', { name }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  for (const name of ['Line', 'Candles', 'EMA', 'EMA']) await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('application').first().focus()
  for (const key of ['ArrowLeft', 'ArrowLeft', '+', '+', '-', '0']) await page.keyboard.press(key)
  await openAndClose(/^Notifications/)
  await go(page, 'Bots')
  await openAndClose('Open Northwind BTC')
  await go(page, 'Test')
  const field = page.getByLabel('Candles limit')
  await field.fill('')
  await field.pressSequentially('500')
  await go(page, 'Dash')
}

/** Ms of each route change once every page was loaded, and of each interaction to the next paint. */
export async function useScreens(browser: Browser, address: string, token: string, rounds: number) {
  const context = await openContext(browser, token)
  const page = await context.newPage()
  await page.goto(`${address}/dashboard`)
  await page.locator('[aria-label="Confidence"]').waitFor()
  for (let round = 0; round < WARM_UPS; round++) for (const entry of ENTRIES) await go(page, entry)
  await page.evaluate(
    'probe.routes.length = 0; probe.interactions.clear(); probe.counted = performance.interactionCount',
  )
  for (let round = 0; round < rounds; round++) for (const entry of ENTRIES) await go(page, entry)
  const routes = (await page.evaluate('probe.routes')) as Timed[]
  for (let round = 0; round < rounds; round++) await work(page)
  const slow = (await page.evaluate('[...probe.interactions.values()]')) as Timed[]
  const counted = (await page.evaluate('performance.interactionCount - probe.counted')) as number
  await context.close()
  // Those under 16 ms are not reported one by one.
  const interactions = [...slow, ...Array<Timed>(Math.max(0, counted - slow.length)).fill({ ms: 16, name: '' })]
  return { routes, interactions }
}
