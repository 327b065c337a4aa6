import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readRecord } from '@shapecast/platform/database/server-folder'
import { acquireTestServer, TEST_FOLDER } from '@shapecast/platform/testing/test-server'
import { makeQuickFolder } from './quick-folder.ts'

/**
 * One PostgreSQL for the whole run, for all projects of it: started by the first test that wants it and kept until the
 * last one is done. What tests write besides lies in the same folder.
 */
export default function setup(): (() => Promise<void>) | undefined {
  if (process.env[TEST_FOLDER] !== undefined) return undefined
  const folder = makeQuickFolder('test')
  process.env[TEST_FOLDER] = folder
  process.env.TMPDIR = folder
  // Programs that tests start load the same sources: compiled and resolved once, half of each start is saved.
  const loadOnce = pathToFileURL(resolve('packages/platform/src/load-once.ts')).href
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${loadOnce}`
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
