import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { ServerFiles } from './server-files.ts'
import type { ServerUser } from './server-user.ts'

export const SERVER_LOGIN = 'shapecast'

/** One server: its programs, its user and its folder. */
export interface ServerPlace {
  readonly files: ServerFiles
  readonly user: ServerUser
  readonly folder: string
  /** Lines for postgresql.conf beyond ours. */
  readonly settings: readonly string[]
}

const CONFIGURATION = [
  "listen_addresses = '127.0.0.1'",
  // A socket's path has a length limit that a deep data folder exceeds; the loopback has none.
  "unix_socket_directories = ''",
  'password_encryption = scram-sha-256',
  'max_connections = 200',
  "timezone = 'UTC'",
  "log_timezone = 'UTC'",
  'log_checkpoints = off',
  'jit = off',
]

const dataOf = (place: ServerPlace) => join(place.folder, 'data')
const logOf = (place: ServerPlace) => join(place.folder, 'server.log')

/** Makes the database's files if there are none: in a draft folder that becomes the real one in one step. */
export async function initialise(place: ServerPlace, password: string): Promise<void> {
  const data = dataOf(place)
  if (existsSync(join(data, 'PG_VERSION'))) return
  sweepDrafts(place.folder)
  const draft = `${data}.${process.pid}.${randomBytes(4).toString('hex')}`
  const passwordFile = `${draft}.password`
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
    place.user.own(passwordFile)
    await run(place, 'initdb', [
      `--pgdata=${draft}`,
      `--username=${SERVER_LOGIN}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Sorted and folded in the same way on every machine; before 17 there is only the plain C for that.
      ...(place.files.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []),
      '--locale=C',
    ])
    appendFileSync(join(draft, 'postgresql.conf'), `\n${[...CONFIGURATION, ...place.settings].join('\n')}\n`)
    renameSync(draft, data)
  } catch (error) {
    if (!existsSync(join(data, 'PG_VERSION'))) throw error
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Throws where the files were made by another major version than the programs that we have. */
export function refuseOtherVersion(place: ServerPlace): void {
  const file = join(dataOf(place), 'PG_VERSION')
  if (!existsSync(file)) return
  const theirs = Number.parseInt(readFileSync(file, 'utf8'), 10)
  const ours = place.files.major
  if (theirs === ours) return
  throw new Error(
    theirs > ours
      ? `The database in ${dataOf(place)} was made by PostgreSQL ${theirs}, which is newer than the ${ours} of this Shapecast. Start the newer Shapecast, or choose another DATA_DIR.`
      : `The database in ${dataOf(place)} was made by PostgreSQL ${theirs}; this Shapecast brings ${ours}. Dump it with the older Shapecast and restore it into a new DATA_DIR (docs/operations.md, "Upgrading PostgreSQL").`,
  )
}

const pidFileOf = (place: ServerPlace) => join(dataOf(place), 'postmaster.pid')

/** What the server that runs wrote into its pid file: the folder of its files, and its port; null where none runs. */
function runningServer(place: ServerPlace): { data: string; port: number } | null {
  if (!existsSync(pidFileOf(place))) return null
  let lines: string[]
  try {
    lines = readFileSync(pidFileOf(place), 'utf8').split('\n')
  } catch {
    return null
  }
  const [pid, data = '', , port] = lines
  return isAlive(Number.parseInt(pid ?? '', 10)) ? { data, port: Number.parseInt(port ?? '', 10) } : null
}

/**
 * Throws where the files are a copy that was taken while a server ran on the original and still does: by the pid file in
 * the copy we would work on the original.
 */
export function refuseCopyInUse(place: ServerPlace): void {
  const running = runningServer(place)
  if (running === null || !existsSync(running.data)) return
  if (realpathSync(running.data) === realpathSync(dataOf(place))) return
  throw new Error(
    `The database in ${dataOf(place)} was copied from ${running.data} while that was in use, so the copy is not whole. Stop the Shapecast that uses ${running.data} and copy it again. (If nothing runs there any more, delete ${pidFileOf(place)}.)`,
  )
}

/** The port of the server that runs on these files; null where none runs. */
export function runningPort(place: ServerPlace): number | null {
  const port = runningServer(place)?.port ?? 0
  return port > 0 ? port : null
}

/**
 * Starts the server in a session of its own: it outlives us, and Ctrl-C in our terminal does not reach it. Throws with
 * the end of its log where it does not come up.
 */
export async function startServer(place: ServerPlace, port: number): Promise<void> {
  const before = existsSync(logOf(place)) ? statSync(logOf(place)).size : 0
  try {
    await run(place, 'pg_ctl', [
      'start',
      '--wait',
      '--silent',
      '--timeout=60',
      `--pgdata=${dataOf(place)}`,
      `--log=${logOf(place)}`,
      `--options=-p ${port}`,
    ])
  } catch (error) {
    const log = existsSync(logOf(place)) ? readFileSync(logOf(place), 'utf8').slice(before).trim() : ''
    throw new Error(`PostgreSQL did not start. ${log || (error as Error).message}`)
  }
}

/** A fast shutdown: sessions end, everything is written, the files are left in order. */
export const stopServer = (place: ServerPlace): Promise<void> =>
  run(place, 'pg_ctl', ['stop', '--mode=fast', '--wait', '--silent', '--timeout=60', `--pgdata=${dataOf(place)}`])

/** `wanted` where it is free, else one that the system picks. */
export function freePort(wanted: number | null): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => (wanted === null ? reject(error) : resolve(freePort(null))))
    probe.listen(wanted ?? 0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

/** Drafts of processes that were killed while they made one. */
function sweepDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^data\.(\d+)\.[0-9a-f]+(\.password)?$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function run(place: ServerPlace, program: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(place.files.bin, program), args, {
      ...place.user.ids,
      // Our own folder may be closed to the server's user.
      cwd: place.folder,
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
      // The server inherits these; a pipe would keep us waiting for as long as it runs.
      stdio: program === 'pg_ctl' ? 'ignore' : ['ignore', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-4000)
    })
    child.once('error', (error) => reject(new Error(`${program} cannot be run: ${error.message}`)))
    child.once('close', (code, signal) =>
      code === 0
        ? resolve()
        : reject(new Error(`${program} failed (${signal ?? `code ${code}`}). ${complaint.trim()}`.trim())),
    )
  })
}
