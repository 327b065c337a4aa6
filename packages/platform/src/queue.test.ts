import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Database } from './database/database.ts'
import { silentLogger } from './logging.ts'
import { createQueue, type JobRun, jobKind, type Queue } from './queue.ts'
import { eventually } from './testing/eventually.ts'
import { createTestDatabase } from './testing/test-database.ts'

const numbers = jobKind({ name: 'numbers', payload: z.object({ n: z.number() }) })
const alone = jobKind({ name: 'alone', payload: z.object({ n: z.number() }), exclusive: true })
const later = jobKind({ name: 'later', payload: z.object({}) })
const ranked = jobKind({ name: 'ranked', payload: z.object({ n: z.number() }) })
const failing = jobKind({ name: 'failing', payload: z.object({}), retryLimit: 1, retryDelaySeconds: 0 })
const long = jobKind({ name: 'long', payload: z.object({}) })
const careful = jobKind({ name: 'careful', payload: z.object({}), onStop: 'finish' })

const until = (condition: () => boolean | Promise<boolean>) =>
  eventually(async () => expect(await condition()).toBe(true))
const aborted = (job: JobRun<unknown>) => once(job.signal, 'abort').then(() => Promise.reject(job.signal.reason))

describe('the job queue', () => {
  let db: Database
  const open: Queue[] = []
  const stateOf = async (id: string): Promise<string | null> => {
    const { rows } = await db.pool.query<{ state: string }>('select state from pgboss.job where id = $1', [id])
    return rows[0]?.state ?? null
  }
  const start = async () => {
    const queue = await createQueue(db, silentLogger())
    open.push(queue)
    return queue
  }
  beforeAll(async () => {
    db = await createTestDatabase()
  })
  afterAll(async () => {
    await Promise.all(open.map((queue) => queue.stop()))
    await db.close()
  })

  it('hands a payload that one process sent to a worker of another', async () => {
    const [sender, worker] = [await start(), await start()]
    const seen: number[] = []
    await worker.work(numbers, {}, async ({ payload }) => {
      seen.push(payload.n)
    })
    const id = await sender.send(numbers, { n: 42 })
    await until(async () => (await stateOf(id!)) === 'completed')
    expect(seen).toEqual([42])
  })

  it('refuses a payload of the wrong shape before it is queued', async () => {
    const queue = await start()
    await expect(queue.send(numbers, { n: 'x' } as unknown as { n: number })).rejects.toThrow()
  })

  it('takes one job a key where the kind is exclusive, whether it waits or runs', async () => {
    const queue = await start()
    expect(await queue.send(alone, { n: 1 }, { key: 'BTC' })).not.toBeNull()
    expect(await queue.send(alone, { n: 2 }, { key: 'BTC' })).toBeNull()
    expect(await queue.send(alone, { n: 3 }, { key: 'ETH' })).not.toBeNull()
  })

  it('tells whether a job waits or runs, by its id and by its key, and counts those of each kind', async () => {
    const queue = await start()
    const id = randomUUID()
    expect(await queue.send(later, {}, { id, key: 'BTC', startAfter: new Date(Date.now() + 3_600_000) })).toBe(id)
    expect(await queue.isOpen(later, { id })).toBe(true)
    expect(await queue.isOpen(later, { key: 'BTC' })).toBe(true)
    expect(await queue.isOpen(later, { key: 'ETH' })).toBe(false)
    expect((await queue.counts()).map((one) => one.queue)).toContain('later')
    await queue.cancel(later, id)
    expect(await queue.isOpen(later, { id })).toBe(false)
  })

  it('hands out one job after the other, first the most urgent of those that wait', async () => {
    const queue = await start()
    await queue.send(ranked, { n: 0 })
    for (const n of [2, 6, 3, 5, 1, 4]) await queue.send(ranked, { n }, { priority: n })
    const seen: number[] = []
    await queue.work(ranked, {}, async ({ payload }) => void seen.push(payload.n))
    // Six waits of five seconds would be longer than this looks on.
    await until(() => seen.length === 7)
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0])
  })

  it('puts a job back that failed, as often as its kind says, and logs each failure', async () => {
    const lines: { level: number; queue?: string; err?: { message: string } }[] = []
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line)) })
    const queue = await createQueue(db, log)
    open.push(queue)
    const attempts: number[] = []
    await queue.work(failing, {}, async ({ attempt }) => {
      attempts.push(attempt)
      throw new Error('a bug')
    })
    const id = await queue.send(failing, {})
    await until(async () => (await stateOf(id!)) === 'failed')
    expect(attempts).toEqual([0, 1])
    expect(lines).toMatchObject([
      { level: 50, job: id, queue: 'failing', err: { message: 'a bug' } },
      { level: 50, job: id, queue: 'failing', err: { message: 'a bug' } },
    ])
  })

  it('sends with a transaction or not at all', async () => {
    const queue = await start()
    let id: string | null = null
    await db.orm
      .transaction(async (orm) => {
        id = await queue.send(careful, {}, { orm })
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect(id).not.toBeNull()
    expect(await stateOf(id!)).toBeNull()
  })

  it('fires the signal of a running job that another process cancels', async () => {
    const [sender, worker] = [await start(), await start()]
    let running = false
    let told = false
    await worker.work(long, {}, async (job) => {
      running = true
      await aborted(job).finally(() => {
        told = !job.stopping()
      })
    })
    const id = await sender.send(long, {})
    await until(() => running)
    await sender.cancel(long, id!)
    await until(() => told)
    expect(await stateOf(id!)).toBe('cancelled')
    await worker.stop()
  })

  it('puts a job back when its worker stops, and the next worker takes it up as a second attempt', async () => {
    const [first, second] = [await start(), await start()]
    const attempts: number[] = []
    await first.work(long, {}, async (job) => {
      attempts.push(job.attempt)
      await aborted(job)
    })
    const id = await second.send(long, {})
    await until(() => attempts.length === 1)
    await first.stop()
    await second.work(long, {}, async (job) => {
      attempts.push(job.attempt)
    })
    await until(async () => (await stateOf(id!)) === 'completed')
    expect(attempts).toEqual([0, 1])
  })

  it('lets a job end whose kind asks for it', async () => {
    const [worker, watcher] = [await start(), await start()]
    let running = false
    await worker.work(careful, {}, async (job) => {
      running = true
      await wait(500)
      expect(job.signal.aborted).toBe(false)
    })
    const id = await watcher.send(careful, {})
    await until(() => running)
    await worker.stop()
    expect(await stateOf(id!)).toBe('completed')
  })
})
