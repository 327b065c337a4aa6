import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder of real candles for tests: SHAPECAST_DATA, or `../shared/data` beside the project. It may be absent. */
export const SHARED_DATA = process.env.SHAPECAST_DATA ?? resolve(import.meta.dirname, '../../../../../shared/data')

/** A file of that folder, and whether it is there. */
export const sharedFile = (name: string): { path: string; missing: boolean } => {
  const path = join(SHARED_DATA, name)
  return { path, missing: !existsSync(path) }
}
