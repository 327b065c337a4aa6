import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sliceCandles } from '@shapecast/engine/candles'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { connect, type Database } from '@shapecast/platform/database/database'
import { acquireServer } from '@shapecast/platform/database/embedded'
import { readRecord } from '@shapecast/platform/database/server-folder'
import { silentLogger } from '@shapecast/platform/logging'
import { refuseOtherKey } from '@shapecast/platform/open-database'
import { eventually } from '@shapecast/platform/testing/eventually'
import { standStill } from '@shapecast/platform/testing/stand-still'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { importFile } from '@shapecast/trading/market/import-file'
import { shapecastCsv } from '@shapecast/venues/testing/candle-files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIGRATIONS } from './server/installation.ts'

/** The product as a process, on a database of the tests. */
interface Program {
  readonly child: ChildProcess
  /** Where it says that it is ready; throws with its complaint where it ends before. */
  ready(): Promise<string>
  said(): string
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** A process and those that it has started. */
function familyOf(pid: number): number[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const children = (of: number): number[] =>
    all.flatMap(([child, parent]) => (parent === of ? [child!, ...children(child!)] : []))
  return [pid, ...children(pid)]
}

describe('the program', () => {
  let db: Database
  const folder = mkdtempSync(join(tmpdir(), 'shapecast-main-'))
  const running: Program[] = []
  /** Serves and works: what the first two tests share. */
  let whole: Program
  beforeAll(async () => {
    db = await createTestDatabase(MIGRATIONS.slice(1))
  })
  afterAll(async () => {
    await Promise.all(running.map((program) => program.end('SIGKILL')))
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = (env: Record<string, string>): Program => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: db.url,
        DATA_DIR: join(folder, 'data'),
        PORT: '0',
        TRADING_PORT: '',
        SOCIAL_PORT: '',
        WORKERS: '1',
        MARKET: 'replay',
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Not 'exit': what it said last may still be under way then.
    const closed = once(child, 'close') as Promise<[number | null]>
    let hasClosed = false
    void closed.then(() => {
      hasClosed = true
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        said += data
      })
    const program: Program = {
      child,
      said: () => said,
      async ready() {
        for (;;) {
          const ready = /Shapecast is ready at (\S+)|Shapecast is at work/.exec(said)
          if (ready !== null) return ready[1] ?? ''
          if (hasClosed) throw new Error(said)
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      },
      async end(signal) {
        child.kill(signal)
        return (await closed)[0]
      },
    }
    running.push(program)
    return program
  }
  const post = async (url: string, body: object, token?: string) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: reply.status, body: (await reply.json()) as Record<string, string> }
  }
  const anna = { username: 'anna', email: 'anna@example.org', password: 'correct horse' }

  it('serves both services at one address, and is ready when it says so', async () => {
    whole = start({ ROLE: 'all' })
    const address = await whole.ready()
    for (const path of ['/bot/health', '/soc/health', '/metrics', '/bot/openapi.json', '/soc/docs'])
      expect((await fetch(address + path)).status, path).toBe(200)
    const { body } = await post(`${address}/soc/api/auth/register`, anna)
    const reply = await fetch(`${address}/bot/api/bots`, { headers: { authorization: `Bearer ${body.accessToken}` } })
    expect(await reply.json()).toEqual({ data: [] })
  })

  it('shares bots and sessions among two apis and two workers, of which one is killed and one stands still as they decide, and exits 0 when told to stop', async () => {
    const hours = generateCandles({ candles: 300, seed: 2 })
    const close = async (count: number) => {
      const path = join(folder, 'candles.csv')
      writeFileSync(path, shapecastCsv(sliceCandles(hours, 0, count)))
      await importFile({ db }, { path, symbol: 'BTCUSDT', timeframe: '1h' })
    }
    await close(290)
    const api = start({ ROLE: 'api', TRADING_PORT: '0', SOCIAL_PORT: '0' })
    const worker = start({ ROLE: 'worker' })
    const [first, second] = await Promise.all([whole, api, worker].map((program) => program.ready()))
    const token = (await post(`${first}/soc/api/auth/login`, anna)).body.accessToken!
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      const bot = { name: `bot ${n}`, parameters: { policy: 'fixed_share' }, initialBalance: 10_000 }
      const made = await post(`${first}/bot/api/bots`, bot, token)
      ids.push((made.body.data as unknown as { botId: string }).botId)
      expect((await post(`${second}/bot/api/bots/${ids[n]}/start`, {}, token)).status).toBe(200)
    }
    const decided = async (count: number) => {
      const { rows } = await db.pool.query('select count(*)::int as n from trading.bot_decisions')
      expect(rows[0].n).toBe(3 * count)
    }
    await close(291)
    await eventually(() => decided(1))

    // Anyone who decides waits for this in the middle of the transaction.
    const client = await db.pool.connect()
    await client.query('begin')
    await client.query('lock table trading.bot_decisions in exclusive mode')
    await close(292)
    await eventually(async () => {
      const { rows } = await db.pool.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into "trading"."bot_decisions"%'
           and datname = current_database()`,
      )
      expect(rows).toHaveLength(1)
    })
    expect(worker.said()).toContain('1 worker started')
    const processes = [worker, whole].map((program) => familyOf(program.child.pid!))
    for (const pid of processes.flat()) process.kill(pid, 'SIGSTOP')
    await client.query('commit')
    client.release()
    for (const pid of processes[0]!) process.kill(pid, 'SIGKILL')
    for (const pid of processes[1]!) process.kill(pid, 'SIGCONT')
    await eventually(() => decided(2))
    await close(294)
    await eventually(() => decided(4))

    for (const id of ids) {
      const reply = await fetch(`${second}/bot/api/bots/${id}/decisions`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const { decisions } = ((await reply.json()) as { data: { decisions: { candleTs: number }[] } }).data
      expect(decisions.map(({ candleTs }) => candleTs)).toEqual([...hours.ts.subarray(290, 294)].reverse())
    }
    const { rows } = await db.pool.query(
      `select a.balance = sum(e.amount) as agrees from trading.accounts a join trading.ledger_entries e on e.account_id = a.id
       where a.owner_kind = 'bot' group by a.id`,
    )
    expect(rows).toEqual([{ agrees: true }, { agrees: true }, { agrees: true }])

    expect((await post(`${first}/soc/api/auth/logout`, {}, token)).status).toBe(200)
    const bots = await fetch(`${second}/bot/api/bots`, { headers: { authorization: `Bearer ${token}` } })
    expect(bots.status).toBe(401)
    const next = start({ ROLE: 'worker' })
    await next.ready()
    const told = [whole.end('SIGTERM'), api.end('SIGINT'), next.end('SIGTERM')]
    expect(await Promise.all(told)).toEqual([0, 0, 0])
    await expect(fetch(first!)).rejects.toThrow()
  })

  it('as a worker waits while its database is gone or stands still, and ends then too when it is told to', async () => {
    const dataDir = join(folder, 'own')
    mkdirSync(dataDir, { mode: 0o711 })
    const server = await acquireServer({ dataDir, log: silentLogger() })
    const postmaster = Number(
      readFileSync(join(readRecord(dataDir)!.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
    )
    const worker = start({ ROLE: 'worker', DATABASE_URL: server.url })
    await worker.ready()
    for (const pid of familyOf(postmaster)) process.kill(pid, 'SIGKILL')
    const own = await eventually(() => connect(server.url, silentLogger()))
    const asked = () => own.pool.query(`select 1 from pg_stat_activity where application_name = 'shapecast-queue'`)
    await eventually(async () => expect((await asked()).rowCount).toBeGreaterThan(0))
    const goOn = await standStill(own)
    await wait(3_000)
    goOn()
    await eventually(asked)
    const stuck = await standStill(own)
    // It gives up, and leaves no process behind that would hold its output open.
    expect(await worker.end('SIGTERM')).toBe(1)
    stuck()
    // A worker that was about to start may end and be started again: it says why.
    expect(worker.said()).not.toMatch(/unhandled|uncaught/i)
    await own.close()
    await server.release()
  })

  it('refuses a setting that it cannot use, and a key that is not this database’s, in a sentence', async () => {
    // The mark that another process leaves, where none of the tests before this has run.
    await refuseOtherKey(db, 'the key of another process').catch(() => undefined)
    const bad = start({ PORT: 'eighty' })
    const foreign = start({ SECRET_KEY: 'k'.repeat(40) })
    await expect(bad.ready()).rejects.toThrow('PORT must be a port number from 0 to 65535 (it is "eighty").')
    await expect(foreign.ready()).rejects.toThrow('SECRET_KEY differs from the one that this database was set up with')
    expect([bad, foreign].map((program) => program.child.exitCode)).toEqual([1, 1])
  })

  it('says what is wrong where the database cannot be reached', async () => {
    const program = start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
    await expect(program.ready()).rejects.toThrow(/could not start: .*ECONNREFUSED/)
  })
})
