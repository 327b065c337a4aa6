/**
 * Lighthouse on the built product with the simulated market and a quickly trained model: each page by desktop and mobile
 * rules, one after the other. It wants the machine for itself and takes about six minutes. Lighthouse is fetched by npx,
 * so that it is no part of the installation. Exit code 1 where a page misses its target.
 *
 *   npm run lighthouse            builds first
 *   node bench/lighthouse.ts [page …]
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium } from '@playwright/test'
import { launchOptions } from '../e2e/chromium.ts'
import { startProduct } from './web/product.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const HANGS_AFTER_MS = 120_000
const FORMS = { desktop: 99, mobile: 90 } as const
type Form = keyof typeof FORMS

interface Report {
  readonly categories: Readonly<Record<'performance' | 'accessibility' | 'best-practices', { score: number | null }>>
  readonly audits: Readonly<
    Record<string, { score: number | null; numericValue?: number; scoreDisplayMode: string } | undefined>
  >
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

/** A browser that Lighthouse can talk to, signed in where there is a token. */
async function openBrowser(folder: string, address: string, token: string | null) {
  const port = await freePort()
  const { args, executablePath } = launchOptions
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: [...args, `--remote-debugging-port=${port}`],
  })
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(`${address}/login`)
  // By a string, since this program knows of no window.
  const session = await context.newCDPSession(page)
  if (token !== null)
    await session.send('Runtime.evaluate', {
      expression: `localStorage.setItem('authToken', ${JSON.stringify(token)})`,
    })
  if (token !== null) {
    // From then on the browser knows whether there are first steps to show.
    await page.goto(`${address}/dashboard`)
    await page.locator('[aria-label="Confidence"]').waitFor()
  }
  await page.goto('about:blank')
  return { context, port }
}

/** Empties the cache from a tab of its own: Lighthouse may close any that it finds. */
async function emptyCache(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
  await page.goto('about:blank')
  for (const other of context.pages()) if (other !== page) await other.close()
}

async function look(url: string, form: Form, port: number, folder: string): Promise<Report> {
  const path = join(folder, 'report.json')
  const words = ['--yes', LIGHTHOUSE, url, `--port=${port}`, '--output=json', `--output-path=${path}`, '--quiet']
  words.push('--only-categories=performance,accessibility,best-practices', '--disable-storage-reset')
  if (form === 'desktop') words.push('--preset=desktop')
  await promisify(execFile)('npx', words, { timeout: HANGS_AFTER_MS, maxBuffer: 1 << 26, cwd: folder })
  return JSON.parse(await readFile(path, 'utf8'))
}

const pct = (score: number | null | undefined): number => Math.round(100 * (score ?? 0))

/** What Lighthouse finds fault with, measured times left out: those are in the scores. */
function faults({ audits }: Report): string[] {
  return Object.entries(audits).flatMap(([id, audit]) =>
    audit !== undefined && audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== 'numeric'
      ? [id]
      : [],
  )
}

const product = await startProduct()
const folder = await mkdtemp(join(tmpdir(), 'shapecast-lighthouse-'))
const contexts: BrowserContext[] = []
try {
  const signedOut = await openBrowser(join(folder, 'out'), product.address, null)
  const signedIn = await openBrowser(join(folder, 'in'), product.address, product.token)
  contexts.push(signedOut.context, signedIn.context)
  const wanted = process.argv.slice(2)
  const pages = [
    { name: 'landing', path: '/', by: signedOut },
    { name: 'login', path: '/login', by: signedOut },
    { name: 'dashboard', path: '/dashboard', by: signedIn },
    { name: 'bots', path: '/trading', by: signedIn },
    { name: 'backtest', path: '/backtest', by: signedIn },
    { name: 'data-center', path: '/ml-analysis', by: signedIn },
    { name: 'model', path: '/ml-analysis/models/v3', by: signedIn },
  ].filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  console.log('page         form     perf  a11y  best   LCP s  TBT ms    CLS  faults')
  for (const form of ['desktop', 'mobile'] as const)
    for (const { name, path, by } of pages) {
      try {
        await emptyCache(by.context)
        const report = await look(`${product.address}${path}`, form, by.port, folder)
        const { performance, accessibility, 'best-practices': best } = report.categories
        const value = (id: string) => report.audits[id]?.numericValue ?? Number.NaN
        console.log(
          [
            name.padEnd(12),
            form.padEnd(8),
            ...[performance, accessibility, best].map(({ score }) => String(pct(score)).padStart(4)),
            (value('largest-contentful-paint') / 1000).toFixed(2).padStart(7),
            value('total-blocking-time').toFixed(0).padStart(7),
            value('cumulative-layout-shift').toFixed(3).padStart(6),
            ` ${faults(report).join(', ')}`,
          ].join(' '),
        )
        if (pct(performance.score) < FORMS[form] || pct(accessibility.score) < 100 || pct(best.score) < 100)
          process.exitCode = 1
      } catch (error) {
        console.log(`${name.padEnd(12)} ${form.padEnd(8)} failed: ${error instanceof Error ? error.message : error}`)
        process.exitCode = 1
      }
    }
} finally {
  for (const context of contexts) await context.close()
  await product.remove()
  await rm(resolve(folder), { recursive: true, force: true })
}
