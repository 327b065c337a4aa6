import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../logging.ts'
import { eventually } from '../testing/eventually.ts'
import { connect } from './database.ts'
import { acquireServer, type EmbeddedServer } from './embedded.ts'
import { readRecord } from './server-folder.ts'

const log = silentLogger()
const isRoot = process.getuid?.() === 0

describe('the embedded PostgreSQL', () => {
  const folders: string[] = []
  const held: EmbeddedServer[] = []
  const children: ChildProcess[] = []
  const newFolder = (mode = 0o711) => {
    const folder = mkdtempSync(join(tmpdir(), 'shapecast-embedded-'))
    chmodSync(folder, mode)
    folders.push(folder)
    return folder
  }
  /** Whose files each test finds made, and the server stopped. */
  const sound = newFolder()
  const acquire = async (dataDir: string) => {
    const server = await acquireServer({ dataDir, log })
    held.push(server)
    return server
  }
  const pidOf = (dataDir: string) =>
    Number.parseInt(readFileSync(join(readRecord(dataDir)!.folder, 'data', 'postmaster.pid'), 'utf8'), 10)
  const runs = (dataDir: string) => existsSync(join(readRecord(dataDir)!.folder, 'data', 'postmaster.pid'))
  const ask = async (url: string, text: string) => {
    const db = await connect(url, log, { max: 1 })
    return db.pool.query(text).finally(() => db.close())
  }
  /** Another process that uses the server until it is told to stop, or is killed. */
  const startUser = async (dataDir: string) => {
    const child = fork(join(import.meta.dirname, '../testing/use-server.ts'), [dataDir], { stdio: 'ignore' })
    children.push(child)
    const url = await new Promise<string>((resolve, reject) => {
      child.once('message', (message) => resolve(String(message)))
      child.once('exit', (code) => reject(new Error(`exited with ${code}`)))
    })
    return { child, url }
  }
  const putTable = (url: string) => ask(url, 'create table if not exists kept as select 7 as n')
  const exitOf = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    await Promise.all(held.splice(0).map((server) => server.release()))
    for (const folder of folders.splice(1)) await remove(folder)
    if (runs(sound)) await (await acquireServer({ dataDir: sound, log })).release()
  })
  afterAll(() => remove(sound))
  async function remove(folder: string): Promise<void> {
    const record = readRecord(folder)
    if (record !== null && runs(folder)) await (await acquireServer({ dataDir: folder, log })).release()
    if (record !== null) rmSync(record.folder, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }

  it('keeps what was written over a stop and a start, with fsync on', async () => {
    const first = await acquire(sound)
    await putTable(first.url)
    await first.release()
    expect(runs(sound)).toBe(false)
    const second = await acquire(sound)
    expect(second.url).toBe(first.url)
    expect((await ask(second.url, 'select n from kept')).rows).toEqual([{ n: 7 }])
    expect((await ask(second.url, 'show fsync')).rows).toEqual([{ fsync: 'on' }])
  })

  it('is started once by four processes that ask at the same time, and stopped by the last', async () => {
    const folder = newFolder()
    const users = await Promise.all([1, 2, 3, 4].map(() => startUser(folder)))
    expect(new Set(users.map((user) => user.url)).size).toBe(1)
    for (const [i, { child }] of users.entries()) {
      expect(runs(folder), `before process ${i} leaves`).toBe(true)
      child.send('stop')
      await exitOf(child)
    }
    expect(runs(folder)).toBe(false)
    const drafts = readdirSync(readRecord(folder)!.folder).filter((name) => name.startsWith('data.'))
    expect(drafts).toEqual([])
  })

  it('is adopted after its process was killed, and stopped by the process that adopted it', async () => {
    const folder = sound
    const { child, url } = await startUser(folder)
    await putTable(url)
    const pid = pidOf(folder)
    child.kill('SIGKILL')
    await exitOf(child)
    expect(runs(folder)).toBe(true)
    const server = await acquire(folder)
    expect([server.started, pidOf(folder)]).toEqual([false, pid])
    expect((await ask(server.url, 'select n from kept')).rows).toEqual([{ n: 7 }])
    await server.release()
    expect(runs(folder)).toBe(false)
  })

  it('is started again, where it was, when it is killed under a process that uses it', async () => {
    const folder = sound
    const server = await acquire(folder)
    await putTable(server.url)
    const pid = pidOf(folder)
    process.kill(pid, 'SIGKILL')
    const { rows } = await eventually(() => ask(server.url, 'select n from kept'))
    expect(rows).toEqual([{ n: 7 }])
    expect(pidOf(folder)).not.toBe(pid)
    await server.release()
    expect(runs(folder)).toBe(false)
  })

  it('takes another port where its own has been taken', async () => {
    const first = await acquire(sound)
    await first.release()
    const thief = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
    await once(thief, 'listening')
    const second = await acquire(sound)
    thief.close()
    expect(new URL(second.url).port).not.toBe(new URL(first.url).port)
    expect((await ask(second.url, 'select 1 as n')).rows).toEqual([{ n: 1 }])
  })

  it('says clearly that the files belong to a newer PostgreSQL, and leaves them alone', async () => {
    await (await acquire(sound)).release()
    const version = join(readRecord(sound)!.folder, 'data', 'PG_VERSION')
    const own = readFileSync(version)
    writeFileSync(version, '99\n')
    await expect(acquire(sound)).rejects.toThrow(/made by PostgreSQL 99, which is newer than the \d+ of this/)
    expect(readFileSync(version, 'utf8')).toBe('99\n')
    writeFileSync(version, '12\n')
    await expect(acquire(sound)).rejects.toThrow(/made by PostgreSQL 12; this Shapecast brings \d+\. Dump/)
    writeFileSync(version, own)
  })

  it('refuses a copy that was taken while the original was in use, in place of working on the original', async () => {
    const [original, copy] = [sound, newFolder()]
    const { url } = await acquire(original)
    await (await acquire(copy)).release()
    const pidFile = (folder: string) => join(readRecord(folder)!.folder, 'data', 'postmaster.pid')
    copyFileSync(pidFile(original), pidFile(copy))
    await expect(acquire(copy)).rejects.toThrow(/was copied from .* while that was in use.*Stop the Shapecast/)
    expect((await ask(url, 'select 1 as n')).rows).toEqual([{ n: 1 }])
    rmSync(pidFile(copy))
    expect((await acquire(copy)).url).not.toBe(url)
  })

  it('lets nobody in without the password, and listens on the loopback only', async () => {
    const server = await acquire(sound)
    const wrong = new URL(server.url)
    wrong.password = 'guess'
    await expect(connect(wrong.href, log)).rejects.toThrow('password')
    expect((await ask(server.url, 'show listen_addresses')).rows).toEqual([{ listen_addresses: '127.0.0.1' }])
    expect((await ask(server.url, 'show unix_socket_directories')).rows).toEqual([{ unix_socket_directories: '' }])
  })

  it.skipIf(!isRoot)('lies outside as root, where the data folder is closed to its user', async () => {
    const closed = newFolder(0o700)
    const server = await acquire(closed)
    expect(readRecord(closed)!.folder).toMatch(/^\/var\/lib\/shapecast\//)
    expect((await ask(server.url, 'select 1 as n')).rows).toEqual([{ n: 1 }])
  })
})
