import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerUser } from './server-user.ts'

/** As root: reached by the server's user wherever the project itself lies. */
export const SYSTEM_FOLDER = '/var/lib/shapecast'

/** What is written down of an installation's server, in `DATA_DIR`/postgres.json (mode 600). */
export interface ServerRecord {
  /** Holds `data` (the database's files) and `server.log`. */
  readonly folder: string
  readonly password: string
  /** The port of the last start, to be asked for again. */
  readonly port: number | null
}

const recordFile = (dataDir: string) => join(dataDir, 'postgres.json')

/** What a data folder says of its server; null before the first start. */
export function readRecord(dataDir: string): ServerRecord | null {
  const file = recordFile(dataDir)
  if (!existsSync(file)) return null
  const record = JSON.parse(readFileSync(file, 'utf8')) as ServerRecord
  // The data folder may have been moved together with the database inside it.
  return record.folder.startsWith('/') ? record : { ...record, folder: join(dataDir, record.folder) }
}

/** Keeps the port for the next start. */
export function rememberPort(dataDir: string, port: number): void {
  const file = recordFile(dataDir)
  const record = JSON.parse(readFileSync(file, 'utf8')) as ServerRecord
  if (record.port === port) return
  const draft = draftOf(file)
  writeFileSync(draft, `${JSON.stringify({ ...record, port }, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

/**
 * The record of this installation, made at its first start: the database lies in the data folder where the server's
 * user can reach it, else under /var/lib/shapecast. Of several processes that ask at once the first one decides.
 */
export function claimRecord(dataDir: string, user: ServerUser): ServerRecord {
  const known = readRecord(dataDir)
  if (known !== null) return known
  const folder = user.canReach(dataDir) ? 'postgres' : join(SYSTEM_FOLDER, randomBytes(8).toString('hex'))
  const file = recordFile(dataDir)
  const draft = draftOf(file)
  const record: ServerRecord = { folder, password: randomBytes(24).toString('base64url'), port: null }
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readRecord(dataDir)!
}

/** A folder that belongs to the server's user and that nobody else may read. */
export function makeOwnFolder(path: string, user: ServerUser): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  user.own(path)
}

const draftOf = (file: string) => `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
