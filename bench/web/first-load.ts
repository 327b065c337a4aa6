import { join } from 'node:path'
import type { Browser, BrowserContext, CDPSession } from '@playwright/test'

export interface Loaded {
  readonly url: string
  readonly kind: 'document' | 'style' | 'script' | 'call' | 'other'
  /** When it was asked for, ms since 1970. */
  readonly at: number
  /** Bytes over the wire, headers included. */
  readonly bytes: number
}

const KINDS: Readonly<Record<string, Loaded['kind']>> = {
  Document: 'document',
  Stylesheet: 'style',
  Script: 'script',
  Fetch: 'call',
  XHR: 'call',
}
const STREAM = '/stream?'

/** Everything that a page asks for from now on, and how much of that is on its way; the event stream never ends. */
export async function watchNetwork(session: CDPSession) {
  const loads = new Map<string, { -readonly [K in keyof Loaded]: Loaded[K] }>()
  const underWay = new Set<string>()
  session.on('Network.requestWillBeSent', ({ requestId, request, type, wallTime }) => {
    if (!request.url.startsWith('http')) return
    const { pathname, search } = new URL(request.url)
    loads.set(requestId, {
      url: `${request.method} ${pathname}${search}`,
      kind: KINDS[type ?? ''] ?? 'other',
      at: wallTime * 1000,
      bytes: 0,
    })
    if (!request.url.includes(STREAM)) underWay.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = loads.get(requestId)
    if (load !== undefined) load.bytes = encodedDataLength
    underWay.delete(requestId)
  })
  session.on('Network.loadingFailed', ({ requestId }) => void underWay.delete(requestId))
  await session.send('Network.enable')
  return { loads, underWay }
}

/** A window with nothing in its cache, in which the probe runs, signed in. */
export async function openContext(browser: Browser, token: string, reducedMotion?: 'reduce'): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...(reducedMotion !== undefined && { reducedMotion }),
  })
  await context.addInitScript(`localStorage.setItem('authToken', ${JSON.stringify(token)})`)
  await context.addInitScript({ path: join(import.meta.dirname, 'probe.js') })
  return context
}

/** What the dashboard asks for until its figures are there, and after that until nothing is on its way. */
export async function firstLoad(browser: Browser, address: string, token: string) {
  const context = await openContext(browser, token)
  const page = await context.newPage()
  const { loads, underWay } = await watchNetwork(await context.newCDPSession(page))
  await page.goto(`${address}/dashboard`)
  await page.locator('[aria-label="Confidence"]').waitFor()
  const isOlder = (one: Loaded) => one.url.includes('/columns') && one.url.includes('before=')
  while (underWay.size > 0 || ![...loads.values()].some(isOlder)) await page.waitForTimeout(250)
  const [figuresAt, startedAt, shifts] = (await page.evaluate(
    '[probe.figuresAt, performance.timeOrigin, probe.shifts]',
  )) as [number, number, number]
  await context.close()
  const all = [...loads.values()]
  return {
    before: all.filter(({ at }) => at <= figuresAt),
    after: all.filter(({ at }) => at > figuresAt),
    figuresAfterMs: figuresAt - startedAt,
    shifts,
  }
}
