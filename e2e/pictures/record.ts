/** Stores what the services of a seeded installation answer to every screen: npm run pictures -- --record */
import { writeFile } from 'node:fs/promises'
import { chromium, type Route } from '@playwright/test'
import { launchOptions } from '../chromium.ts'
import type { Viewer } from '../screens.ts'
import { install } from '../server.ts'
import { openScreen } from './open-screen.ts'
import { type About, callOf, keyOf, REPLIES, type StoredReply } from './replies.ts'
import { SCREENS, WIDTHS } from './screens.ts'
import { seed } from './seed.ts'

const API = /^https?:\/\/[^/]+\/(bot|soc)\//
/** Pages ask for more once they are complete: what a chart lacks, the next reload. */
const REST_MS = 1_500

const stored = new Map<string, StoredReply>()

/** What was answered once is answered again, so that all screens tell of one moment. */
async function answer(route: Route, as: Viewer): Promise<void> {
  const request = route.request()
  const url = new URL(request.url())
  if (url.pathname.endsWith('/stream')) return route.fulfill({ contentType: 'text/event-stream', body: ': open\n\n' })
  const call = callOf(request.method(), url, request.postData() ?? '')
  const key = keyOf(as, call)
  if (!stored.has(key)) {
    const response = await route.fetch()
    stored.set(key, { as, call, status: response.status(), reply: await response.json() })
  }
  const { status, reply } = stored.get(key)!
  await route.fulfill({ status, json: reply })
}

const home = await install({ MARKET: 'simulated' })
const browser = await chromium.launch(launchOptions)
try {
  await home.start()
  const { tokens, ids } = await seed(home.address)
  const about: About = { nowMs: Date.now(), ids }
  for (const screen of SCREENS)
    for (const width of WIDTHS) {
      const context = await browser.newContext({ timezoneId: 'UTC', locale: 'en-GB' })
      await context.route(API, (route) => answer(route, screen.as))
      const page = await context.newPage()
      const token = screen.as === 'nobody' ? '' : tokens[screen.as]
      await openScreen(page, { origin: home.address, screen, width, theme: 'dark', token, ...about })
      await page.waitForTimeout(REST_MS)
      await context.unrouteAll({ behavior: 'wait' })
      await context.close()
      console.log(`${screen.name} at ${width} px`)
    }
  const lines = [
    about,
    ...[...stored.values()].toSorted((a, b) => (keyOf(a.as, a.call) < keyOf(b.as, b.call) ? -1 : 1)),
  ]
  await writeFile(REPLIES, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
} finally {
  await browser.close()
  await home.remove()
}
