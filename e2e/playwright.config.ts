import { defineConfig } from '@playwright/test'
import chromium from '@sparticuz/chromium'

const executablePath = process.env.CHROME_PATH ?? (await chromium.executablePath())
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
  timeout: 240_000,
  expect: { timeout: 15_000 },
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
