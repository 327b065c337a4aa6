import { randomUUID } from 'node:crypto'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { carryOut } from '../src/ground/jobs/carry-out.ts'
import { endJob, findJob, listJobs } from '../src/ground/jobs/job-rows.ts'
import { trainHere } from '../src/models/train-here.ts'
import { type Shown, TRAINING } from '../src/models/training-kind.ts'
import type { TrainingWork } from '../src/models/training-run.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { MODEL_CANDLES, quickModel } from './support/small-model.ts'

const BTC = generateCandles({ candles: 1500, seed: 3 })
const bench = await createPartsBench(memoryVenue({ 'BTCUSDT 1h': BTC }), Date.now)
afterAll(() => bench.close())
const { db, parts } = bench
const { trainings, training } = parts.models()
const model = await quickModel('v3', 'BTCUSDT', MODEL_CANDLES)
const log = silentLogger()
const never = new AbortController().signal
const ORDER = { version: 'v3', symbol: 'BTCUSDT', timeframe: '1h', params: {} } as const

/** How far trainings have come, as the command shows it, and how many have begun. */
let shown: Shown[]
let begun: number
let finish: PromiseWithResolvers<void>
beforeEach(async () => {
  shown = []
  begun = 0
  finish = Promise.withResolvers()
  await db.pool.query('delete from trading.jobs')
})

/** Says that it is at epoch 3 and waits for the test, in place of training. */
const work: TrainingWork = {
  ...training,
  async run(job, { signal, write, report }) {
    begun++
    const at = { ...job.progress, phase: 'networks', epoch: 3 }
    report(at)
    await write(at)
    const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await Promise.race([finish.promise, stopped])
    return { artifact: { ...model, hash: randomUUID() }, comparison: null, seconds: 1 }
  },
}
const here = (order: Parameters<typeof trainHere>[1] = ORDER, signal = never) =>
  trainHere({ db, jobs: parts.jobs, candles: parts.market, work, log, now: parts.now }, order, signal, (progress) =>
    shown.push(progress),
  )
const epochSeen = () => eventually(() => expect(shown.at(-1)).toMatchObject({ phase: 'networks', epoch: 3 }))
const all = () => listJobs(db.orm, TRAINING, { userId: randomUUID(), role: 'admin' }, 9)
/** The installation's own, as the first model's, carried out by a worker. */
const byWorker = async () => {
  const id = await trainings.request(ORDER, null)
  const carried = carryOut({ orm: db.orm, log, now: parts.now }, TRAINING, work, { id, queueId: id }, never)
  await eventually(() => expect(begun).toBe(1))
  return { id, carried }
}

describe('a training from the command line', () => {
  it('is carried out in its process as a job that others see and join', async () => {
    const done = here()
    await epochSeen()
    const { owner } = bench.users
    const id = await trainings.request({ ...ORDER, limit: 5000 }, owner)
    expect(await trainings.read(id, owner)).toMatchObject({ status: 'running', progress: { epoch: 3 } })
    finish.resolve()
    const artifactId = await done
    expect(await trainings.read(id, owner)).toMatchObject({ status: 'completed', artifactId })
    expect(await all()).toHaveLength(1)
  })

  it("follows the first model's training to its end where a worker is at it", async () => {
    const { id, carried } = await byWorker()
    const done = here({ ...ORDER, limit: 5000 })
    await epochSeen()
    finish.resolve()
    await carried
    expect(await done).toBe((await findJob(db.orm, TRAINING, id))!.result!.artifactId)
    expect(begun).toBe(1)
  })

  it('takes on one that waits for its turn, and that its message in the queue no longer begins', async () => {
    const id = await trainings.request(ORDER, null)
    const done = here()
    await epochSeen()
    await carryOut({ orm: db.orm, log, now: parts.now }, TRAINING, work, { id, queueId: id }, never)
    finish.resolve()
    expect(await done).toBe((await findJob(db.orm, TRAINING, id))!.result!.artifactId)
    expect(begun).toBe(1)
  })

  it('takes on one whose worker was silent for 15 seconds, and that one stops', async () => {
    const { id, carried } = await byWorker()
    await db.pool.query('update trading.jobs set alive_at_ms = alive_at_ms - 20000')
    const done = here()
    expect(await carried).toBeNull()
    finish.resolve()
    expect(await done).toBe((await findJob(db.orm, TRAINING, id))!.result!.artifactId)
    expect(begun).toBe(2)
  })

  it("takes the place of the installation's own with other settings, and is refused beside a user's", async () => {
    const automatic = await trainings.request(ORDER, null)
    const done = here({ ...ORDER, params: { seed: 7 } })
    await epochSeen()
    expect((await findJob(db.orm, TRAINING, automatic))!.status).toBe('cancelled')
    await expect(here({ ...ORDER, params: { seed: 8 } })).rejects.toMatchObject({ code: 'conflict' })
    finish.resolve()
    await done
  })

  it('is cancelled at Ctrl-C, and goes back to the queue where somebody else had asked for it', async () => {
    const interrupt = async (ask: () => Promise<unknown>) => {
      await ask()
      const stop = new AbortController()
      const done = here(ORDER, stop.signal)
      done.catch(() => {})
      await epochSeen()
      stop.abort(new Error('Interrupted.'))
      await expect(done).rejects.toThrow('Interrupted.')
      const [job] = await all()
      shown = []
      return job!
    }
    expect((await interrupt(async () => undefined)).status).toBe('cancelled')
    const job = await interrupt(() => trainings.request(ORDER, bench.users.owner))
    expect(job).toMatchObject({ status: 'queued', queueId: expect.any(String) })
  })

  it('fails with the words of the one that it follows', async () => {
    const { id } = await byWorker()
    const done = here()
    done.catch(() => {})
    await epochSeen()
    await db.orm.transaction((tx) => endJob(tx, TRAINING, { id }, { status: 'failed', error: 'The disk is full.' }, 1))
    await expect(done).rejects.toMatchObject({ code: 'unprocessable', message: 'The disk is full.' })
  })
})
