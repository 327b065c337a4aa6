import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Search, SearchRequestInput } from '@shapecast/contracts/search'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { eventually } from '@shapecast/platform/testing/eventually'
import { waitingForLocks } from '@shapecast/platform/testing/waiting-for-locks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { carryOut } from '../src/ground/jobs/carry-out.ts'
import { beginParts, LEASE_MS } from '../src/ground/jobs/job-parts.ts'
import { beginJob, endJob, findJob } from '../src/ground/jobs/job-rows.ts'
import { createJobs } from '../src/ground/jobs/jobs.ts'
import { shareParts, takeParts } from '../src/ground/jobs/share-parts.ts'
import type { LabProgress } from '../src/search/lab-job.ts'
import { SEARCH } from '../src/search/search-kind.ts'
import { openSearch, searchWork } from '../src/search/search-work.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { searchedVenue } from './support/searched-venue.ts'
import { call, type Person } from './support/service-bench.ts'

const bench = await createPartsBench(searchedVenue())
const { db, parts, users } = bench
const app = await bench.serve()
afterAll(() => bench.close())

const values = (from: number, count: number) => Array.from({ length: count }, (_, k) => from + k)
/** 500 combinations on 1,120 candles: parts of 200, 200 and 100. */
const REQUEST: SearchRequestInput = {
  kind: 'rule',
  rule: 'enter: ema({fast}) > ema({slow}) exit: ema({fast}) < ema({slow})',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  parameters: [
    { name: 'fast', values: values(2, 10) },
    { name: 'slow', values: values(20, 10) },
    { name: 'stopLossPct', values: values(1, 5) },
  ],
}
const signal = new AbortController().signal
const deps = { orm: db.orm, log: silentLogger(), now: Date.now }
const work = (threads = 1) => ({ ...parts.backtest(), db, threads })

const ask = (as: Person, method: 'GET' | 'POST' | 'DELETE', path: string, body: unknown = {}) =>
  call(app, method, `/bot/api/${path}`, { as, ...(method === 'GET' ? {} : { body }) })
/** A user without a try, and a search of its own. */
async function begin(): Promise<{ id: string; as: Person }> {
  const as = await bench.signIn(crypto.randomUUID(), 'bot_manager')
  return { id: (await ask(as, 'POST', 'searches', REQUEST)).body.id, as }
}
const jobOf = async (id: string) => (await findJob(db.orm, SEARCH, id))!
/** Carries a search out as a worker does, at a time at which no lease of a dead one lasts. Answers the parts that it did. */
async function carry(id: string): Promise<number[]> {
  const { queueId } = await jobOf(id)
  const later = { ...deps, now: () => Date.now() + LEASE_MS + 1 }
  const { open, ...rest } = searchWork(work(2))
  const ran: number[] = []
  const counted: typeof open = async (job, stop) => {
    const opened = await open(job, stop)
    return { ...opened, run: (part) => opened.run(part).finally(() => ran.push(part)) }
  }
  await carryOut(later, SEARCH, { ...rest, open: counted }, { id, queueId }, signal)
  return ran.sort()
}
async function found(id: string, as: Person) {
  const { status, verdict, result, tries }: Search = (await ask(as, 'GET', `searches/${id}`)).body
  expect(status).toBe('completed')
  return { verdict, result: { ...result!, seconds: 0 }, tries }
}
const done = async (id: string): Promise<number> =>
  (await db.pool.query('select count(bytes)::int as done from trading.job_parts where job_id = $1', [id])).rows[0].done
/** What a worker did before it was lost: some parts. */
async function doSome(id: string, count: number): Promise<void> {
  const { queueId } = await jobOf(id)
  const job = (await beginJob(db.orm, SEARCH, id, queueId, Date.now()))!
  const opened = await openSearch(work(), job, signal)
  const of = { jobId: id, basis: opened.basis }
  await beginParts(db.orm, of, opened.count)
  const lost = new AbortController()
  let ran = 0
  const run = async (part: number) => {
    if (++ran === count) lost.abort(new Error('lost'))
    return opened.run(part)
  }
  await expect(takeParts(deps, of, { lanes: 1, run }, lost.signal)).rejects.toThrow('lost')
  await opened.close()
}

let whole: Awaited<ReturnType<typeof found>>
beforeAll(async () => {
  const { id, as } = await begin()
  await carry(id)
  whole = await found(id, as)
})

const HOLD_KEY = 7
/** Starts a worker and kills it while it keeps its third. */
async function killWorker(id: string): Promise<void> {
  const { queueId } = await jobOf(id)
  const holder = await db.pool.connect()
  await holder.query('select pg_advisory_lock($1)', [HOLD_KEY])
  await holder.query(`create or replace function trading.hold() returns trigger language plpgsql as $$
    begin
      if (select count(bytes) from trading.job_parts where job_id = '${id}') = 2 then
        perform pg_advisory_xact_lock(${HOLD_KEY});
      end if;
      return new;
    end $$`)
  await holder.query(`create trigger hold before update of bytes on trading.job_parts
    for each row execute function trading.hold()`)
  const program = join(import.meta.dirname, './support/search-process.ts')
  const child = spawn(process.execPath, [program, db.url, id, queueId!], { stdio: 'inherit' })
  const exited = once(child, 'exit')
  const waiting = await eventually(async () => {
    const found = await waitingForLocks(db.pool, 'advisory')
    expect(found).toHaveLength(1)
    return found
  })
  child.kill('SIGKILL')
  expect((await exited)[1]).toBe('SIGKILL')
  // Its session would outlive it, and wait for the lock while it holds the table.
  await holder.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [waiting])
  await holder.query('drop trigger hold on trading.job_parts')
  await holder.query('select pg_advisory_unlock($1)', [HOLD_KEY])
  holder.release()
}

describe('a search whose worker is killed in the middle', () => {
  it('goes on in the next one from the parts that are done, to the same bits and as many tries', async () => {
    const { id, as } = await begin()
    await killWorker(id)
    expect(await done(id)).toBe(2)
    expect(await carry(id)).toEqual([2])
    expect(await found(id, as)).toEqual(whole)
    expect(await done(id)).toBe(0)
  })
})

describe('a search that was cancelled', () => {
  it('goes on for who asked, and counts its points once', async () => {
    const { id, as } = await begin()
    await doSome(id, 2)
    await db.pool.query(
      `update trading.jobs set progress = '{"current": 400, "total": 500, "leftS": 1}' where id = $1`,
      [id],
    )
    expect((await ask(as, 'POST', `jobs/${id}/resume`)).body.code).toBe('conflict')
    await ask(as, 'POST', `jobs/${id}/cancel`)
    expect((await ask(as, 'GET', `searches/${id}`)).body.tries.count).toBe(400)
    expect((await ask(users.manager, 'POST', `jobs/${id}/resume`)).status).toBe(404)
    expect((await ask(as, 'POST', `jobs/${id}/resume`)).body).toEqual({ id })
    expect((await ask(as, 'GET', `searches/${id}`)).body).toMatchObject({
      status: 'queued',
      progress: { current: 400 },
    })
    expect(await carry(id)).toEqual([2])
    expect(await found(id, as)).toEqual(whole)
  })

  it('takes its parts along when it is deleted', async () => {
    const { id, as } = await begin()
    await doSome(id, 1)
    await ask(as, 'POST', `jobs/${id}/cancel`)
    expect(await done(id)).toBe(1)
    await ask(as, 'DELETE', `searches/${id}`)
    expect(await done(id)).toBe(0)
  })
})

describe('a search beside which another worker is free', () => {
  it('is done by both, to the same bits', async () => {
    const ran: Record<string, number[]> = { own: [], other: [] }
    const open = async (name: string) => {
      const queue = await createQueue(db, silentLogger())
      const jobs = createJobs({ db, queue, log: silentLogger(), now: Date.now })
      const { open, ...rest } = searchWork(work())
      const counted: typeof open = async (job, stop) => {
        const opened = await open(job, stop)
        const run = async (part: number) => {
          ran[name]!.push(part)
          // The other one has begun.
          if (name === 'own') await eventually(() => expect(ran.other!.length).toBeGreaterThan(0))
          return opened.run(part)
        }
        return { ...opened, run }
      }
      return { queue, jobs, work: { ...rest, open: counted } }
    }
    const [own, other] = [await open('own'), await open('other')]
    const { id, as } = await begin()
    await own.jobs.work(SEARCH, own.work)
    await eventually(async () => expect((await jobOf(id)).status).toBe('running'))
    await other.jobs.work(SEARCH, other.work)
    await other.jobs.help()
    await eventually(async () => expect((await jobOf(id)).status).toBe('completed'))
    await Promise.all([own, other].map(({ queue }) => queue.stop()))
    expect(ran.own!.length).toBeGreaterThan(0)
    expect([...ran.own!, ...ran.other!].sort()).toEqual([0, 1, 2])
    expect(await found(id, as)).toEqual(whole)
  })
})

it('begins again where what its parts rest on has changed, and says so', async () => {
  const { id } = await begin()
  await doSome(id, 1)
  await db.pool.query("update trading.job_parts set basis = 'other candles' where job_id = $1", [id])
  const shown: LabProgress[] = []
  const opened = await openSearch(work(), await jobOf(id), signal)
  const { result } = await shareParts(deps, id, opened, { signal, report: (progress) => shown.push(progress) })
  const points = shown.map(({ current }) => current)
  expect([points[0], points.at(-1)]).toEqual([0, 500])
  expect(points).toEqual(points.toSorted((a, b) => a - b))
  expect(shown.every(({ beganAgain }) => beganAgain === true)).toBe(true)
  expect({ ...result, seconds: 0, keptRun: null }).toEqual({ ...whole.result, keptRun: null })
  await db.orm.transaction((tx) => endJob(tx, SEARCH, { id }, { status: 'cancelled', error: null }, 1))
})
