/**
 * The built product in a real browser, on the simulated market with a quickly trained model: what the dashboard asks for
 * on its first load, how long route changes take once all pages are loaded, how long a press or a key waits for the next
 * paint, and what the dashboard holds over an hour of its reloads on a simulated clock. Times hold on a machine with
 * nothing else to do; requests, bytes and memory everywhere. Build first: npm run build.
 *
 *   node bench/web.ts [load] [screens] [hour]
 */
import { chromium } from '@playwright/test'
import { launchOptions } from '../e2e/chromium.ts'
import { firstLoad, type Loaded } from './web/first-load.ts'
import { hourOfPolling } from './web/hour-of-polling.ts'
import { startProduct } from './web/product.ts'
import { useScreens } from './web/use-screens.ts'

const ROUNDS = 5
/** The slowest ones are named. */
const NAMED = 8

const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? Number.NaN

const parts = process.argv.slice(2)
const isWanted = (part: string) => parts.length === 0 || parts.includes(part)

function printLoads(name: string, all: readonly Loaded[]): void {
  const counted = all.filter(({ kind }) => kind !== 'other')
  const kb = (loads: readonly Loaded[]) => (loads.reduce((sum, { bytes }) => sum + bytes, 0) / 1000).toFixed(0)
  console.log(`${name}: ${counted.length} requests, ${kb(counted)} kB, and ${kb(all)} kB with the font`)
  for (const { url, bytes } of counted) console.log(`  ${String(bytes).padStart(7)} B  ${url}`)
}

const product = await startProduct()
const browser = await chromium.launch(launchOptions)
try {
  if (isWanted('load')) {
    const { before, after, shifts, figuresAfterMs } = await firstLoad(browser, product.address, product.token)
    printLoads('Until the figures are there', before)
    printLoads('After that', after)
    const urls = [...before, ...after].map(({ url }) => url)
    const twice = urls.filter((url, i) => urls.indexOf(url) < i)
    console.log(`Figures after ${figuresAfterMs.toFixed(0)} ms; layout shift ${shifts.toFixed(3)}`)
    console.log(`Asked for twice: ${twice.length === 0 ? 'nothing' : twice.join(', ')}`)
  }
  if (isWanted('screens')) {
    const { routes, interactions } = await useScreens(browser, product.address, product.token, ROUNDS)
    for (const [name, all] of Object.entries({
      'Route changes': routes,
      'Interaction to next paint': interactions,
    })) {
      const values = all.map(({ ms }) => ms)
      const [median, p95, most] = [0.5, 0.95, 1].map((q) => quantile(values, q).toFixed(0))
      console.log(`${name}: median ${median} ms, p95 ${p95} ms, longest ${most} ms (${values.length})`)
      for (const one of all.toSorted((a, b) => b.ms - a.ms).slice(0, NAMED))
        console.log(`  ${one.ms.toFixed(0).padStart(5)} ms  ${one.name}`)
    }
  }
  if (isWanted('hour')) {
    const { readings, renders } = await hourOfPolling(browser, product.address, product.token)
    for (const { minute, heapMb, nodes, listeners } of readings)
      console.log(`After ${minute} min: ${heapMb.toFixed(2)} MB, ${nodes} nodes, ${listeners} listeners`)
    console.log('Components drawn again at a reload, by card: median, most')
    for (const [card, counts] of renders)
      console.log(`  ${String(quantile(counts, 0.5)).padStart(4)} ${String(Math.max(...counts)).padStart(4)}  ${card}`)
  }
} finally {
  await browser.close()
  await product.remove()
}
