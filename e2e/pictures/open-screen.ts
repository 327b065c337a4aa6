import { expect, type Page, type Request } from '@playwright/test'
import type { Screen } from '../screens.ts'
import { SIZES, type Theme, type Width } from './screens.ts'

export interface Look {
  readonly origin: string
  readonly screen: Screen
  readonly width: Width
  readonly theme: Theme
  /** '' of a visitor. */
  readonly token: string
  readonly ids: Readonly<Record<string, string>>
  /** The page's clock stands there. */
  readonly nowMs: number
}

const WAITS = '[role=status][aria-label^=Loading], [role=status][aria-label^=Checking], main [aria-busy=true]'

/** What is asked for once it comes into sight makes a page higher again. */
const MOST_ROUNDS = 3
/** Looks between which nothing may happen, and the time from one to the next. */
const LOOKS = 3
const LOOK_MS = 100

/** Opens a screen in a fresh page and waits until it is complete: no skeleton, its fonts there, nothing that moves. */
export async function openScreen(page: Page, { origin, screen, width, theme, token, ids, nowMs }: Look): Promise<void> {
  await page.setViewportSize(SIZES[width])
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme })
  await page.clock.setFixedTime(nowMs)
  await page.addInitScript(
    ([held, chosen]) => {
      localStorage.setItem('theme', chosen!)
      if (held === '') localStorage.removeItem('authToken')
      else localStorage.setItem('authToken', held!)
    },
    [token, theme],
  )
  const quiet = quietly(page)
  await page.goto(origin + screen.path.replace(/BOT|RUN|OTHER|RULE/g, (name) => ids[name]!))
  await expect(page.locator('main').first()).toBeVisible()
  await expect(page.locator(WAITS)).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
  await quiet()
  for (let round = 0; round < MOST_ROUNDS && !(await showAll(page)); round++) await quiet()
}

/**
 * What waits until the page has asked for all that it wants: no call is under way and it has nothing left to do, several
 * times in a row. The event stream never ends, and does not count.
 */
function quietly(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  let begun = 0
  page.on('request', (request) => {
    if (request.url().includes('/stream?')) return
    begun++
    underWay.add(request)
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  return async () => {
    for (let looks = 0, before = -1; looks < LOOKS; ) {
      await page.waitForTimeout(LOOK_MS)
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
      const isStill = underWay.size === 0 && begun === before && (await page.locator(WAITS).count()) === 0
      before = begun
      looks = isStill ? looks + 1 : 0
    }
  }
}

/**
 * A window as high as what it holds, a dialog's scrolled part too: a page captured beyond its window is drawn while its
 * charts have their old size. Returns whether it was so already.
 */
async function showAll(page: Page): Promise<boolean> {
  const { width, height } = page.viewportSize()!
  const hiddenPx = await page.evaluate(() => {
    const scrolled = [...document.querySelectorAll('dialog *')].filter((it) =>
      ['auto', 'scroll'].includes(getComputedStyle(it).overflowY),
    )
    return Math.max(...[document.documentElement, ...scrolled].map((it) => it.scrollHeight - it.clientHeight))
  })
  if (hiddenPx <= 0) return true
  await page.setViewportSize({ width, height: height + hiddenPx })
  return false
}
