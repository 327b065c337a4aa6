import { defineConfig } from 'vitest/config'
import { FileOrder } from './test/file-order.ts'

/** Code that keeps nothing outside of what it is given: its tests share a process, in a third of the time. */
const PURE = ['packages/{engine,contracts,ml}/src/**/*.test.ts', 'apps/web/src/**/*.test.ts']
/** Code that keeps what it has in a database of the test's own: so do these, which load it once. */
const ROOMS = [
  'packages/{platform,venues}/src/**/*.test.ts',
  'apps/{shapecast,social,trading}/{src,test}/**/*.test.ts',
  'test/**/*.test.ts',
]
/** They replace a module or move its clock for all that come after them, or measure memory that a child inherits. */
const APART = [
  'apps/social/test/attacks.test.ts',
  'packages/platform/src/database/new-id.test.ts',
  'packages/venues/src/import/memory.test.ts',
  'apps/web/src/features/dashboard/reload.test.tsx',
]
/** Screens: one window and what their packages load for all of them, the product's own modules for each file. */
const PAGES = ['apps/web/src/**/*.test.tsx']

const globalSetup = ['test/global-setup.ts']

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    // They end what hangs; how quick a machine is decides nothing.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    // Two processors: half of the time a file waits for a database or a process.
    maxWorkers: 4,
    sequence: { sequencer: FileOrder },
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ROOMS,
          exclude: APART,
          isolate: false,
          globalSetup,
          setupFiles: ['apps/social/test/quick-hashes.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: PAGES,
          exclude: APART,
          isolate: false,
          execArgv: ['--import', './packages/platform/src/load-once.ts'],
          environment: './test/one-window.ts',
          setupFiles: ['apps/web/src/testing/own-modules.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: APART,
          globalSetup,
        },
      },
    ],
  },
})
