import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { launchOptions } from './chromium.ts'

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // They end what hangs; how quick a machine is decides nothing.
  timeout: 1_800_000,
  expect: {
    timeout: 120_000,
    toHaveScreenshot: {
      pathTemplate: join(process.env.PICTURES ?? '{testDir}/pictures', '{arg}{ext}'),
      // Two steps of 255, which processors may round differently; a surface of another shade is further away.
      threshold: 0.01,
      maxDiffPixels: 10,
    },
  },
  workers: 2,
  // A browser on a busy machine has moments of its own. Who needs a second try is named at the end of the run, to be mended.
  retries: 1,
  use: {
    actionTimeout: 180_000,
    viewport: { width: 1440, height: 900 },
    timezoneId: 'UTC',
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    launchOptions,
  },
})
