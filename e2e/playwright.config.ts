import { defineConfig } from '@playwright/test'
import chromium from '@sparticuz/chromium'

const executablePath = process.env.CHROME_PATH ?? (await chromium.executablePath())
// Of the package's switches the ones that weaken the page's own protections are left out: the tests need them to hold.
const unwanted = new Set([
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
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
