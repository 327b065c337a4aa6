import { mkdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { installServerFiles, type ServerEdition } from './server-files.ts'
import { claimRecord, makeOwnFolder, readRecord, rememberPort, SYSTEM_FOLDER } from './server-folder.ts'
import {
  freePort,
  initialise,
  refuseCopyInUse,
  refuseOtherVersion,
  runningPort,
  SERVER_LOGIN,
  type ServerPlace,
  startServer,
  stopServer,
} from './server-process.ts'
import { serverUser } from './server-user.ts'

/** A running server and our share in it. */
export interface EmbeddedServer {
  /** Address of the `shapecast` database, with the password. */
  readonly url: string
  /** Whether this call started the server, rather than found it running. */
  readonly started: boolean
  /** Gives our share back; the last one given back stops the server. */
  release(): Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly log: Logger
  /** Which server; the one that we ship. */
  readonly edition?: ServerEdition
  /** Where the programs are kept; by default in the data folder, as root in /var/lib/shapecast. */
  readonly programs?: string
  /** Lines for postgresql.conf beyond ours, used when the files are made. */
  readonly settings?: readonly string[]
  /** Leave the server running even where nobody uses it any more. */
  readonly keepRunning?: boolean
}

const DATABASE = 'shapecast'
/** Held shared by every process that uses the server; a process that gets it alone may stop it. */
const USE_LOCK = 7_215_310_001
const CREATE_LOCK = 7_215_310_002
const PATIENCE_MS = 60_000
const REVIVE_EVERY_MS = 2_000

/**
 * Finds this installation's server running, or makes and starts it. Any number of processes may ask at the same time:
 * PostgreSQL's own pid file lets one server run, and those that come second use it. A server that a killed process
 * left behind is found in the same way.
 */
export async function acquireServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const user = serverUser()
  const programs = options.programs ?? (user.ids === null ? options.dataDir : SYSTEM_FOLDER)
  const files = await installServerFiles(programs, options.edition ?? 'embedded-postgres')
  const record = claimRecord(options.dataDir, user)
  if (user.ids !== null && record.folder.startsWith(SYSTEM_FOLDER)) {
    mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
    options.log.info(`the database lies in ${record.folder}, because its user cannot enter ${options.dataDir}`)
  }
  makeOwnFolder(record.folder, user)
  const place: ServerPlace = { files, user, folder: record.folder, settings: options.settings ?? [] }
  refuseOtherVersion(place)
  refuseCopyInUse(place)

  const entry = await enter(place, record.password, options)
  let holder = entry.holder
  let released: Promise<void> | undefined
  let reviving: Promise<void> = Promise.resolve()
  const watch = () =>
    holder.once('end', () => {
      if (released === undefined) reviving = revive()
    })
  /** The server has died under us, or was stopped by hand: start it again, where the others look for it. */
  const revive = async () => {
    while (released === undefined)
      try {
        const again = await enter(place, record.password, { ...options, port: entry.port })
        holder = again.holder
        watch()
        options.log.warn({ started: again.started }, 'the database server was gone and is back')
        return
      } catch (error) {
        options.log.error({ err: error }, 'the database server is gone and does not come back yet')
        await wait(REVIVE_EVERY_MS)
      }
  }
  watch()
  return {
    url: addressOf(entry.port, record.password, DATABASE),
    started: entry.started,
    release() {
      released ??= Promise.resolve().then(async () => {
        await reviving
        await giveBack(place, holder, options)
      })
      return released
    },
  }
}

interface Entry {
  readonly holder: pg.Client
  readonly port: number
  readonly started: boolean
}

/** Finds the server running or starts it, and takes a share in it. `port`: this one and no other. */
async function enter(
  place: ServerPlace,
  password: string,
  options: EmbeddedOptions & { readonly port?: number },
): Promise<Entry> {
  const deadline = Date.now() + PATIENCE_MS
  let started = false
  for (;;) {
    try {
      let port = runningPort(place)
      if (port === null) {
        await initialise(place, password)
        port = options.port ?? (await freePort(readRecord(options.dataDir)?.port ?? null))
        await startServer(place, port)
        started = true
        rememberPort(options.dataDir, port)
      }
      return { holder: await hold(port, password), port, started }
    } catch (error) {
      // Another process may be starting or stopping it right now: look again.
      if (Date.now() > deadline || isFinal(error)) throw error
      options.log.debug({ err: error }, 'the database server is not ready yet')
      await wait(100)
    }
  }
}

const addressOf = (port: number, password: string, database: string) =>
  `postgres://${SERVER_LOGIN}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`

/** A wrong password means another server on the port that our pid file names: no waiting helps. */
const isFinal = (error: unknown): boolean =>
  ['28P01', '28000'].includes((error as { code?: string }).code ?? '') ||
  /cannot be run|initdb failed|Permission denied/.test(String((error as Error).message))

/** A connection that lives as long as our use of the server, with the database made sure of. */
async function hold(port: number, password: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: addressOf(port, password, 'postgres'),
    application_name: 'shapecast-holder',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    // Waits while another process, the last one of its time, is stopping the server: then this connection breaks.
    await client.query('select pg_advisory_lock_shared($1)', [USE_LOCK])
    await client.query('select pg_advisory_lock($1)', [CREATE_LOCK])
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rows.length === 0) await client.query(`create database ${DATABASE}`)
    await client.query('select pg_advisory_unlock($1)', [CREATE_LOCK])
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

async function giveBack(place: ServerPlace, holder: pg.Client, options: EmbeddedOptions): Promise<void> {
  try {
    if (options.keepRunning === true) return
    await holder.query('select pg_advisory_unlock_shared($1)', [USE_LOCK])
    const { rows } = await holder.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [USE_LOCK])
    // With the lock still ours nobody can begin to use the server between this answer and its end.
    if (rows[0]!.alone) await stopServer(place)
  } catch (error) {
    options.log.warn({ err: error }, 'the database server was not stopped by us; the next start will look after it')
  } finally {
    await holder.end().catch(() => undefined)
  }
}
