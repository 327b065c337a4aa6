import type { Browser } from '@playwright/test'
import { openContext, watchNetwork } from './first-load.ts'

const POLL_MS = 30_000
const POLLS = 120
const POLLS_A_READING = 20

export interface Reading {
  readonly minute: number
  readonly heapMb: number
  readonly nodes: number
  readonly listeners: number
}

/**
 * The dashboard through an hour of its 30-second reloads on a simulated clock: what it holds after a collection, and how
 * many components of each card every reload has drawn again.
 */
export async function hourOfPolling(browser: Browser, address: string, token: string) {
  const context = await openContext(browser, token, 'reduce')
  const page = await context.newPage()
  await page.clock.install()
  const session = await context.newCDPSession(page)
  const { underWay } = await watchNetwork(session)
  await session.send('Performance.enable')
  const settled = async () => {
    do await page.waitForTimeout(50)
    while (underWay.size > 0)
  }
  await page.goto(`${address}/dashboard`)
  await page.locator('[aria-label="Confidence"]').waitFor()
  const readings: Reading[] = []
  const renders = new Map<string, number[]>()
  for (let poll = 0; poll <= POLLS; poll++) {
    await page.evaluate('probe.renders = {}')
    if (poll > 0) await page.clock.fastForward(POLL_MS)
    await settled()
    const drawn = (await page.evaluate('probe.renders')) as Record<string, number>
    if (poll > 0)
      for (const [card, count] of Object.entries(drawn))
        renders.set(card, (renders.get(card) ?? Array<number>(POLLS).fill(0)).with(poll - 1, count))
    if (poll % POLLS_A_READING !== 0) continue
    for (let i = 0; i < 2; i++) await session.send('HeapProfiler.collectGarbage')
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
    readings.push({
      minute: (poll * POLL_MS) / 60_000,
      heapMb: of('JSHeapUsedSize') / 1e6,
      nodes: of('Nodes'),
      listeners: of('JSEventListeners'),
    })
  }
  await context.close()
  return { readings, renders }
}
