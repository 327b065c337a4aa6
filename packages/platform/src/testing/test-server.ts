import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { acquireServer, type EmbeddedServer } from '../database/embedded.ts'
import { silentLogger } from '../logging.ts'

/** Set by test/global-setup.ts for a whole run of the tests: where its one server lies. */
export const TEST_FOLDER = 'SHAPECAST_TEST_FOLDER'

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
    programs: testPrograms(),
    // What a test writes is thrown away with the server.
    settings: ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off'],
  })
}

/** The programs are the same for every run of this user, and 60 MB: kept from one to the next. */
function testPrograms(): string {
  const owner = createHash('sha256').update(`${userInfo().uid}`).digest('hex').slice(0, 8)
  const folder = join(tmpdir(), `shapecast-test-programs-${owner}`)
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  return folder
}
