import { randomUUID } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import { silentLogger } from '@shapecast/platform/logging'
import type { Queue } from '@shapecast/platform/queue'
import { eventually } from '@shapecast/platform/testing/eventually'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addJob } from '../../../test/support/add-job.ts'
import { call, createServiceBench } from '../../../test/support/service-bench.ts'
import { JOB_KINDS } from '../../job-kinds.ts'
import { carryOut } from './carry-out.ts'
import { endJob, failedJobs, findJob, insertJob, listJobs, nextTurn, requeueJob } from './job-rows.ts'
import { createJobs } from './jobs.ts'
import type { Job, Kind, Progress, Work } from './kind.ts'
import { jobRoutes } from './routes.ts'
import { jobs as table } from './tables.ts'

/** What was told of ends, by job. */
const ended: string[] = []
const KIND: Kind<{ n: number }, Progress, { made: number }> = {
  name: 'backtest',
  payload: z.object({ n: z.number() }),
  start: { current: 0, total: 0 },
  visibility: 'askers',
  limit: { most: 3, error: 'You have 3.', retryAfterS: 5 },
  unknown: 'There is no such job.',
  givenUp: 'It was given up.',
  keptMs: 1_000,
  async ended(_tx, { id, status }) {
    ended.push(`${id} ${status}`)
  },
}
const RESUMED = { ...KIND, name: 'download', resumes: true } as const
type Run = Work<{ n: number }, Progress, { made: number }, number>['run']
const workOf = (run: Run): Work<{ n: number }, Progress, { made: number }, number> => ({
  run,
  complete: async (_tx, { payload, progress }, made) => (payload.n > made ? null : { result: { made }, progress }),
})
const untilStopped: Run = (_job, { signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

const bench = await createServiceBench()
afterAll(() => bench.close())
const { orm } = bench.db
const log = silentLogger()
let nowMs = 100_000
/** Messages that wait in the queue or are carried out; a test delivers them by hand. */
let messages: string[] = []
const queue = {
  send: async (_kind, _payload, { id } = {}) => {
    messages.push(id!)
    return id!
  },
  work: async () => undefined,
  isOpen: async (_kind, which) => 'id' in which && messages.includes(which.id),
} as Pick<Queue, 'send' | 'work' | 'isOpen'> as Queue
const jobs = createJobs({ db: bench.db, queue, log, now: () => nowMs })
await jobs.work(KIND, workOf(untilStopped))
beforeEach(async () => {
  messages = []
  ended.length = 0
  nowMs = 100_000
  await orm.delete(table)
})

const { owner, other, admin } = bench.users
const ask = (n: number, key: string | null = null, userId: string | null = owner.userId, kind: typeof KIND = KIND) =>
  orm.transaction((tx) =>
    jobs.request(tx, kind, { userId, key, title: `job ${n}`, payload: { n } }, (open) =>
      open.payload.n === n ? { join: true } : { join: false, error: 'Replaced.' },
    ),
  )
const run = (id: string, with_: Run, queueId: string | null = id, signal = new AbortController().signal) =>
  carryOut({ orm, log, now: () => nowMs }, KIND, workOf(with_), { id, queueId }, signal)
const cancel = (id: string, as: typeof owner = owner) => orm.transaction((tx) => jobs.cancel(tx, KIND, id, as))
const find = async (id: string) => (await findJob(orm, KIND, id))!
const made = async (n: number) => n

describe('asking for a job', () => {
  it('queues it, and joins the one of its key that is open', async () => {
    const first = await ask(1, 'a')
    expect(await ask(1, 'a', other.userId)).toEqual({ id: first.id, isNew: false })
    expect(await ask(1, 'a', other.userId)).toEqual({ id: first.id, isNew: false })
    expect(await ask(1, 'a', null)).toEqual({ id: first.id, isNew: false })
    expect((await find(first.id)).joined).toEqual([other.userId])
    expect(messages).toEqual([first.id])
    expect((await ask(1, 'b')).isNew).toBe(true)
    await run(first.id, () => made(1))
    expect((await ask(1, 'a')).id).not.toBe(first.id)
  })

  it('joins one job when many ask at once', async () => {
    const asked = await Promise.all(Array.from({ length: 10 }, () => ask(1, 'a', randomUUID())))
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1)
    expect(asked.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect((await find(asked[0]!.id)).joined).toHaveLength(9)
  })

  it('takes the place of the open one where it has to', async () => {
    const first = await ask(1, 'a')
    const second = await ask(2, 'a', other.userId)
    expect(await find(first.id)).toMatchObject({ status: 'cancelled', error: 'Replaced.' })
    expect(await find(second.id)).toMatchObject({ status: 'queued', userId: other.userId })
  })

  it('is refused past 3 open ones of a user, without ending the one whose place it would take', async () => {
    const { id } = await ask(1, 'a', null)
    for (let n = 0; n < 3; n++) await ask(n)
    await expect(ask(2, 'a')).rejects.toMatchObject({ code: 'too_many_requests' })
    expect((await find(id)).status).toBe('queued')
    expect((await ask(1, 'a')).id).toBe(id)
  })

  it('lets one that resumes go on from its progress, under the same id', async () => {
    const { id } = await ask(1, 'a', owner.userId, RESUMED as unknown as typeof KIND)
    const deps = { orm, log, now: () => nowMs }
    const work = workOf(async (_job, { write }) => {
      await write({ current: 7, total: 9 })
      return 1
    })
    await carryOut(deps, RESUMED as unknown as typeof KIND, work, { id, queueId: id }, new AbortController().signal)
    expect(await ask(2, 'a', other.userId, RESUMED as unknown as typeof KIND)).toEqual({ id, isNew: true })
    const [row] = await listJobs(orm, RESUMED, other, 1)
    expect(row).toMatchObject({ status: 'queued', payload: { n: 2 }, progress: { current: 7, total: 9 } })
    expect(messages[1]).toBe(row!.queueId)
    expect(row!.queueId).not.toBe(id)
  })
})

describe('who sees a job', () => {
  it('is who asked, who joined, and admins; who only joined may not cancel it', async () => {
    const { id } = await ask(1, 'a')
    await expect(jobs.read(KIND, id, other)).rejects.toMatchObject({ code: 'not_found' })
    await expect(cancel(id, other)).rejects.toMatchObject({ code: 'not_found' })
    await ask(1, 'a', other.userId)
    for (const person of [owner, other, admin]) expect((await jobs.read(KIND, id, person)).id).toBe(id)
    expect((await listJobs(orm, KIND, other, 9)).map((job) => job.id)).toEqual([id])
    await expect(cancel(id, other)).rejects.toMatchObject({ code: 'forbidden' })
    expect((await cancel(id, admin)).status).toBe('cancelled')
    await expect(cancel(id)).rejects.toMatchObject({ code: 'job_not_running' })
  })
})

describe('carrying a job out', () => {
  it('completes it with what was made', async () => {
    const { id } = await ask(1)
    expect(await run(id, ({ payload }) => made(payload.n))).toEqual({ made: 1 })
    expect(await find(id)).toMatchObject({ status: 'completed', result: { made: 1 }, attempts: 1, finishedAtMs: nowMs })
    expect(ended).toEqual([`${id} completed`])
    expect(await run(id, () => made(2))).toBeNull()
  })

  it('runs again where more was asked of it meanwhile', async () => {
    const { id } = await ask(1)
    const seen: number[] = []
    await run(id, async ({ payload }) => {
      seen.push(payload.n)
      await orm.update(table).set({ payload: { n: 2 } })
      return payload.n
    })
    expect(seen).toEqual([1, 2])
    expect((await find(id)).result).toEqual({ made: 2 })
  })

  it('fails with the words of an expected error, and with none of the insides of another', async () => {
    const [a, b] = [await ask(1), await ask(2)]
    const expected = new AppError('no_candles', 'There are none.')
    const fail = (error: unknown) => async () => {
      throw error
    }
    expect(await run(a.id, fail(expected))).toEqual({ error: expected })
    await run(b.id, fail(new TypeError('secret insides')))
    expect((await find(a.id)).error).toBe('There are none.')
    expect((await find(b.id)).error).toBe('The backtest failed by an error of the program. Its log has the details.')
    expect((await failedJobs(orm, nowMs, 9)).map(({ id }) => id).sort()).toEqual([a.id, b.id].sort())
  })

  it('leaves it running where its worker stops or the database is away', async () => {
    const { id } = await ask(1)
    const stopping = new AbortController()
    const running = run(id, untilStopped, id, stopping.signal)
    running.catch(() => {})
    await eventually(async () => expect((await find(id)).status).toBe('running'))
    stopping.abort(new Error('the worker stops'))
    await expect(running).rejects.toThrow('the worker stops')
    const away = Object.assign(new Error('Failed query'), { cause: Object.assign(new Error(), { code: '57P01' }) })
    await expect(run(id, () => Promise.reject(away))).rejects.toBe(away)
    expect(await find(id)).toMatchObject({ status: 'running', attempts: 2 })
    await run(id, () => made(1))
    expect((await find(id)).status).toBe('completed')
  })

  it('stops within about a second of a cancel, and of another worker that has begun with it', async () => {
    const [a, b] = [await ask(1), await ask(2)]
    const running = run(a.id, untilStopped)
    await eventually(async () => expect((await find(a.id)).status).toBe('running'))
    await cancel(a.id)
    expect(await running).toBeNull()
    const slow = run(b.id, untilStopped)
    await eventually(async () => expect((await find(b.id)).status).toBe('running'))
    await run(b.id, () => made(2))
    expect(await slow).toBeNull()
    expect(await find(b.id)).toMatchObject({ status: 'completed', result: { made: 2 } })
  })

  it('is not begun by a message that no longer carries it', async () => {
    const { id } = await ask(1)
    const job = await find(id)
    await orm.transaction((tx) => requeueJob(tx, job, { queueId: null }, nowMs))
    expect(await run(id, () => made(1))).toBeNull()
    expect(await run(id, () => made(1), null)).toEqual({ made: 1 })
  })
})

describe('jobs that nobody carries out', () => {
  it('fail with what to do once the queue has given them up', async () => {
    const { id } = await ask(1)
    const stopping = AbortSignal.abort(new Error('the worker died'))
    const dying: Run = async (_job, { signal }) => signal.throwIfAborted() as never
    await run(id, dying, id, stopping).catch(() => {})
    await jobs.sweep()
    expect((await find(id)).status).toBe('running')
    messages = []
    await jobs.sweep()
    expect(await find(id)).toMatchObject({ status: 'failed', error: 'It was given up.' })
    expect(ended).toEqual([`${id} failed`])
  })

  it('are queued again where they have never begun', async () => {
    const { id } = await ask(1)
    messages = []
    await jobs.sweep()
    expect(await find(id)).toMatchObject({ status: 'queued', queueId: messages[0] })
    await run(id, () => made(1), messages[0]!)
    expect((await find(id)).status).toBe('completed')
  })

  it('fail once their command was silent for a minute', async () => {
    const id = randomUUID()
    const job = { id, key: null, title: '', userId: null, payload: { n: 1 }, turn: 0, queueId: null }
    await insertJob(orm, KIND, job, nowMs)
    nowMs += 60_000 - 1
    await jobs.sweep()
    expect((await find(id)).status).toBe('queued')
    nowMs += 1
    await jobs.sweep()
    expect((await find(id)).status).toBe('failed')
  })

  it('go once they are over for as long as their kind is kept', async () => {
    const at = (finishedAtMs: number | null) =>
      addJob(bench.db, { kind: 'backtest', status: finishedAtMs === null ? 'queued' : 'completed', finishedAtMs })
    await at(nowMs - 1_001)
    const kept = [await at(nowMs - 1_000), await at(null)]
    await addJob(bench.db, { kind: 'training', status: 'completed', finishedAtMs: 0 })
    expect(await jobs.prune()).toBe(1)
    expect((await listJobs(orm, KIND, admin, 9)).map(({ id }) => id).sort()).toEqual(kept.sort())
  })
})

describe('turns', () => {
  const add = (userId: string | null, status: Job<never, Progress, never>['status'], turn: number) =>
    addJob(bench.db, { kind: 'training', userId, status, turn })
  const turnOf = (userId: string | null) => orm.transaction((tx) => nextTurn(tx, 'training', userId))

  it('begin with the first, and join a running one whatever the status of its jobs', async () => {
    expect(await turnOf(other.userId)).toBe(0)
    await add(owner.userId, 'completed', 3)
    expect(await turnOf(other.userId)).toBe(3)
    await add(owner.userId, 'running', 4)
    expect(await turnOf(other.userId)).toBe(4)
    await add(owner.userId, 'failed', 5)
    expect(await turnOf(other.userId)).toBe(5)
    // What others wait for, and what nobody waits for any more, is no turn that has begun; nor is one of another kind.
    await add(owner.userId, 'queued', 8)
    await add(owner.userId, 'cancelled', 9)
    await add(other.userId, 'cancelled', 9)
    await add(other.userId, 'completed', 2)
    await addJob(bench.db, { kind: 'backtest', userId: owner.userId, status: 'running', turn: 20 })
    expect(await turnOf(other.userId)).toBe(5)
  })

  it('are one after the last that the same user waits for, also where it runs, and where the installation asks', async () => {
    await add(owner.userId, 'running', 2)
    await add(owner.userId, 'queued', 3)
    await add(other.userId, 'running', 2)
    await add(null, 'queued', 6)
    expect(await turnOf(owner.userId)).toBe(4)
    expect(await turnOf(other.userId)).toBe(3)
    expect(await turnOf(null)).toBe(7)
  })
})

describe('any order of workers, kills and cancels', () => {
  const step = fc.record({
    what: fc.constantFrom('work', 'die', 'fail', 'cancel', 'sweep', 'giveUp', 'ask', 'requeue'),
    at: fc.nat({ max: 3 }),
  })

  it('ends each job once, as it says, and completes it with one result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), async (rounds) => {
        await orm.delete(table)
        messages = []
        ended.length = 0
        const ids: string[] = []
        const asked = async () => void ids.push((await ask(1, null, null)).id)
        await asked()
        let results = 0
        const take = async ({ what, at }: { what: string; at: number }): Promise<void> => {
          const id = ids[at % ids.length]!
          const { queueId } = await find(id)
          const dead = AbortSignal.abort(new Error('died'))
          if (what === 'ask') return asked()
          if (what === 'work') return void (await run(id, () => made(++results + 1), queueId))
          if (what === 'die')
            return void (await run(id, () => Promise.reject(new Error('died')), queueId, dead).catch(() => 0))
          if (what === 'fail')
            return void (await run(id, () => Promise.reject(new AppError('no_candles', 'No.')), queueId))
          if (what === 'cancel') return void (await cancel(id, admin).catch(() => 0))
          if (what === 'giveUp') messages = messages.filter((message) => message !== queueId)
          const job = await find(id)
          if (what === 'requeue' && job.status === 'failed') await orm.transaction((tx) => jobs.requeue(tx, KIND, job))
          await jobs.sweep()
        }
        for (const round of rounds) await Promise.all(round.map(take))
        for (const id of ids) {
          const { status, result, error, finishedAtMs } = await find(id)
          const told = ended.filter((line) => line.startsWith(id)).map((line) => line.split(' ')[1])
          expect(told.filter((one) => one !== 'failed').length).toBeLessThanOrEqual(1)
          if (status === 'queued' || status === 'running') expect([result, finishedAtMs]).toEqual([null, null])
          else expect(told.at(-1)).toBe(status)
          expect(result !== null).toBe(status === 'completed')
          expect(error !== null).toBe(status === 'failed')
          // Nothing is left that no message and no sweep would end.
          if (finishedAtMs === null)
            await orm.transaction((tx) => endJob(tx, KIND, { id }, { status: 'failed', error: 'x' }, 1))
        }
      }),
      { numRuns: Number(process.env.RUNS ?? 20) },
    )
  })
})

describe('failed jobs', () => {
  const app = bench.mount((service) => jobRoutes(service, { db: bench.db, jobs, kinds: JOB_KINDS, now: () => nowMs }))
  const list = async () => (await call(app, 'GET', '/api/jobs/failed', { as: admin })).body
  const again = (id: string, as: typeof owner | null = admin) =>
    call(app, 'POST', `/api/jobs/${id}/resume`, { as, body: {} })
  const fail = async (key: string | null = null) => {
    const { id } = await ask(1, key)
    await run(id, () => Promise.reject(new AppError('no_candles', 'There are none.')))
    return id
  }

  it('are for admins, the newest first, for 30 days', async () => {
    const older = await fail()
    nowMs += 1
    const newer = await fail()
    await ask(2)
    const shown = { kind: 'backtest', title: 'job 1', userId: owner.userId, error: 'There are none.' }
    expect(await list()).toEqual([
      { id: newer, ...shown, failedAt: nowMs },
      { id: older, ...shown, failedAt: nowMs - 1 },
    ])
    expect((await call(app, 'GET', '/api/jobs/failed', { as: bench.users.manager })).status).toBe(403)
    nowMs += 30 * 86_400_000
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([newer])
  })

  it('run again for who asked', async () => {
    const id = await fail()
    expect((await again(id, owner)).status).toBe(403)
    expect((await again(id)).body).toEqual({ id })
    expect((await again(id)).body.code).toBe('conflict')
    expect(await list()).toEqual([])
    const { queueId, status, userId } = await find(id)
    expect({ status, userId }).toEqual({ status: 'queued', userId: owner.userId })
    expect(messages).toContain(queueId)
    await run(id, () => made(1), queueId)
    expect((await find(id)).status).toBe('completed')
  })

  it('do not run again beside the same that waits', async () => {
    const id = await fail('a')
    await ask(1, 'a')
    const refused = await again(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect((await find(id)).status).toBe('failed')
  })
})
