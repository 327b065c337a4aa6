import type { Browser, Page } from '@playwright/test'
import { openContext } from './first-load.ts'

const ENTRIES = ['Bots', 'Lern', 'Test', 'Dash'] as const
const WARM_UPS = 2

async function go(page: Page, entry: string): Promise<void> {
  const before = (await page.evaluate('probe.routes.length')) as number
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry, exact: true }).click()
  while (((await page.evaluate('probe.routes.length')) as number) === before) await page.waitForTimeout(20)
}

/** Presses and keys as a person gives them, on the pages that have most to draw. */
async function work(page: Page): Promise<void> {
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  for (const name of ['Line', 'Candles', 'EMA', 'EMA']) await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('application').first().focus()
  for (const key of ['ArrowLeft', 'ArrowLeft', '+', '+', '-', '0']) await page.keyboard.press(key)
  await press(/^Notifications/)
  await page.keyboard.press('Escape')
  await go(page, 'Bots')
  await page.getByText('Northwind BTC').first().click()
  await page.keyboard.press('Escape')
  await go(page, 'Test')
  for (const name of ['Position Size', 'Initial Balance']) {
    const field = page.getByRole('textbox', { name }).or(page.getByRole('spinbutton', { name })).first()
    if ((await field.count()) > 0) await field.pressSequentially('12')
  }
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
  const routes = (await page.evaluate('probe.routes')) as number[]
  for (let round = 0; round < rounds; round++) await work(page)
  const slow = (await page.evaluate('[...probe.interactions.values()]')) as number[]
  const counted = (await page.evaluate('performance.interactionCount - probe.counted')) as number
  await context.close()
  // Those under 16 ms are not reported one by one.
  const interactions = [...slow, ...Array<number>(Math.max(0, counted - slow.length)).fill(16)]
  return { routes, interactions }
}
