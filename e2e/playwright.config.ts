import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import chromium from '@sparticuz/chromium'

/** The package unpacks its browser into the temporary folder, where another user's copy may stand: this one is ours. */
async function unpackedChromium(): Promise<string> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = resolve(import.meta.dirname, '../node_modules/.cache/chromium')
  mkdirSync(process.env.TMPDIR, { recursive: true })
  const path = await chromium.executablePath()
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  return path
}

const executablePath = process.env.CHROME_PATH ?? (await unpackedChromium())
// Of the package's switches those are left out that weaken the page's own protections, which the tests need to hold,
// and the single process, in which one closed page takes the browser with it.
const unwanted = new Set([
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
  '--single-process',
  '--in-process-gpu',
])

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // They end what hangs; how quick a machine is decides nothing.
  timeout: 1_800_000,
  expect: { timeout: 120_000 },
  workers: 1,
  retries: 0,
  use: {
    viewport: { width: 1440, height: 900 },
    timezoneId: 'UTC',
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args: chromium.args.filter((argument) => !unwanted.has(argument)) },
  },
})
