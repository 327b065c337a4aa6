/**
 * Frame times of the price chart with 10,000 candles, markers, both forecasts, both averages, volume and fan, beside a
 * bare page of the chart library with the candles alone. The pages take turns in one browser. First without a limit on
 * the frame rate, where a frame takes as long as its work; then at the screen's 60 Hz.
 *
 *   node bench/price-chart.ts [rounds]
 */
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium as browserType, type Page } from '@playwright/test'
import chromium from '@sparticuz/chromium'
import { createServer } from 'vite'

const PAGES = ['bare', 'product'] as const
type PageName = (typeof PAGES)[number]
const GESTURES = [
  { name: 'zoom, all 10,000 in view', call: 'zoom(10000, 80)' },
  { name: 'pan, 5,000 in view', call: 'pan(5000, 80)' },
  { name: 'pan, 1,000 in view', call: 'pan(1000, 80)' },
  { name: 'pan, 200 in view', call: 'pan(200, 80)' },
] as const

// Where there is no graphics card, the canvas is drawn by the processor itself: through an emulated card the first frames
// of any chart, the library's own too, were seen to stand still for seconds. Compiling shaders may be why; that was not
// looked into.
const CPU_CANVAS = ['--disable-accelerated-2d-canvas']

const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))]!

const bestP95 = (taken: readonly number[][]): number => Math.min(...taken.map((times) => quantile(times, 0.95)))

const rounds = Number(process.argv[2] ?? 5)
const server = await createServer({
  configFile: false,
  logLevel: 'warn',
  cacheDir: join(tmpdir(), 'shapecast-bench-vite'),
  root: resolve(import.meta.dirname, 'price-chart'),
  server: { port: 0, host: '127.0.0.1', hmr: false, watch: null, fs: { strict: false } },
  optimizeDeps: { include: ['lightweight-charts'] },
})
await server.listen()
const address = server.resolvedUrls?.local[0] ?? ''
const executablePath = process.env.CHROME_PATH ?? (await chromium.executablePath())

for (const limited of [false, true]) {
  const unlimited = limited ? [] : ['--disable-frame-rate-limit', '--disable-gpu-vsync']
  const browser = await browserType.launch({ executablePath, args: [...chromium.args, ...CPU_CANVAS, ...unlimited] })
  const session = await browser.newBrowserCDPSession()
  const cpuMs = async (): Promise<number> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return 1000 * processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  }
  const cpu = new Map<string, number[]>()
  const pages = new Map<PageName, Page>()
  const times = new Map<string, number[][]>()
  const of = (page: PageName, gesture: string): number[][] => times.get(`${page} ${gesture}`) ?? []
  for (const name of PAGES) {
    const page = await browser.newPage({ viewport: { width: 1040, height: 320 }, locale: 'en-GB' })
    await page.goto(`${address}?page=${name}`)
    await page.waitForFunction('globalThis.isReady === true')
    pages.set(name, page)
  }
  // The first round warms everything up and is not counted.
  for (let round = 0; round <= rounds; round++)
    for (const { name, call } of GESTURES)
      for (const [which, page] of pages) {
        await page.bringToFront()
        const before = await cpuMs()
        const taken = (await page.evaluate(call)) as number[]
        const spent = ((await cpuMs()) - before) / taken.length
        if (round === 0) continue
        times.set(`${which} ${name}`, [...of(which, name), taken])
        cpu.set(`${which} ${name}`, [...(cpu.get(`${which} ${name}`) ?? []), spent])
      }
  console.log(limited ? 'At 60 Hz:' : 'Without a limit on the frame rate:')
  for (const { name } of GESTURES) {
    const said = PAGES.map((page) => {
      const all = of(page, name)
      const cpuTime = quantile(cpu.get(`${page} ${name}`) ?? [], 0.5)
      return `${page} ${quantile(all.flat(), 0.5).toFixed(1)} / ${bestP95(all).toFixed(1)} / ${cpuTime.toFixed(1)}`
    })
    const ratio = bestP95(of('product', name)) / bestP95(of('bare', name))
    const cpuOf = (page: PageName) => quantile(cpu.get(`${page} ${name}`) ?? [], 0.5)
    console.log(
      `  ${name}: median / p95 / CPU ms: ${said.join(', ')}; product : bare ${ratio.toFixed(2)} in p95, ${(cpuOf('product') / cpuOf('bare')).toFixed(2)} in CPU`,
    )
  }
  await browser.close()
}
await server.close()
