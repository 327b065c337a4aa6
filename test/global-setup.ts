import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRecord } from '@shapecast/platform/database/server-folder'
import { acquireTestServer, TEST_FOLDER } from '@shapecast/platform/testing/test-server'

/**
 * One PostgreSQL for the whole run, for all projects of it: started by the first test that wants it and kept until the
 * last one is done.
 */
export default function setup(): (() => Promise<void>) | undefined {
  if (process.env[TEST_FOLDER] !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'shapecast-test-'))
  process.env[TEST_FOLDER] = folder
  return async () => {
    const record = readRecord(folder)
    if (record !== null) {
      const server = await acquireTestServer(folder, { keepRunning: false })
      await server.release()
      rmSync(record.folder, { recursive: true, force: true })
    }
    rmSync(folder, { recursive: true, force: true })
  }
}
