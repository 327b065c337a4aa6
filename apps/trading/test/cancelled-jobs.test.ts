import type { JobKind } from '@shapecast/contracts/job-status'
import { silentLogger } from '@shapecast/platform/logging'
import { eventually } from '@shapecast/platform/testing/eventually'
import { describe, expect, it } from 'vitest'
import { carryOut } from '../src/ground/jobs/carry-out.ts'
import { findJob } from '../src/ground/jobs/job-rows.ts'
import type { Control } from '../src/ground/jobs/kind.ts'
import { JOB_KINDS } from '../src/job-kinds.ts'
import { addJob } from './support/add-job.ts'
import { call } from './support/service-bench.ts'
import { wholeService } from './support/whole-service.ts'

const SERIES = { venue: 'test', symbol: 'BTCUSDT', timeframe: '1h', fromMs: 0, toMs: 1 }
const PAYLOADS: Readonly<Record<JobKind, object>> = {
  training: { ...SERIES, version: 'v9', params: {}, byManager: false },
  backtest: {},
  download: SERIES,
  importance: { artifactId: '01890000-0000-7000-8000-000000000001' },
  walk_forward: {
    venue: 'test',
    request: {},
    search: { request: { kind: 'rule', symbol: 'BTCUSDT', timeframe: '1h' } },
  },
  batch: { request: { symbols: ['BTCUSDT'], timeframes: ['1h'] }, orders: [{ bot: { name: 'Rule' } }] },
  search: { venue: 'test', request: { kind: 'rule', symbol: 'BTCUSDT', timeframe: '1h' } },
}
const { app, db, users } = await wholeService()
const { owner, other, admin } = users

describe.each(Object.keys(PAYLOADS) as JobKind[])('a job of the kind %s', (name) => {
  const kind = JOB_KINDS[name]
  const add = (more: { status?: 'running'; attempts?: number } = {}) =>
    addJob(db, { kind: name, userId: owner.userId, payload: PAYLOADS[name], visibility: kind.visibility, ...more })
  const cancel = (id: string, as: typeof owner | null = owner) =>
    call(app, 'POST', `/bot/api/jobs/${id}/cancel`, { as, body: {} })
  const find = async (id: string) => (await findJob(db.orm, kind, id))!
  /** Carries it out as a worker does to whom the queue gives it. */
  const carry = (id: string, run: (control: Control<never>) => Promise<unknown>) => {
    const work = { run: (_: unknown, control: Control<never>) => run(control), complete: async () => null as never }
    return carryOut({ orm: db.orm, log: silentLogger(), now: () => 5 }, kind, work, { id, queueId: id }, still.signal)
  }
  const still = new AbortController()
  const never = () => Promise.reject(new Error('it was begun'))
  const told = async () => (await db.pool.query('select 1 from platform.notifications')).rowCount

  it('is cancelled while it waits, by who asked for it or an admin, and no worker begins with it', async () => {
    const [first, second] = [await add(), await add()]
    expect((await cancel(first, null)).status).toBe(401)
    expect((await cancel(first, other)).body).toMatchObject({ code: 'not_found', error: kind.unknown })
    expect((await cancel(first)).body).toEqual({ id: first })
    expect((await cancel(second, admin)).body).toEqual({ id: second })
    for (const id of [first, second]) {
      expect(await carry(id, never)).toBeNull()
      expect(await find(id)).toMatchObject({ status: 'cancelled', error: null, result: null, attempts: 0 })
    }
    expect((await cancel(first)).body.code).toBe('job_not_running')
    const audited = await db.pool.query('select actor_id, action from platform.audit where subject_id = $1', [second])
    expect(audited.rows).toEqual([{ actor_id: admin.userId, action: `${name}.cancelled` }])
    expect(await told()).toBe(0)
  })

  it('stops within about a second where it runs, and tells nobody of it', async () => {
    const id = await add()
    const running = carry(
      id,
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    await eventually(async () => expect((await find(id)).status).toBe('running'))
    expect((await cancel(id)).status).toBe(200)
    expect(await running).toBeNull()
    expect(await find(id)).toMatchObject({ status: 'cancelled', error: null, result: null })
    expect(await told()).toBe(0)
  })

  it('stays cancelled where its worker was lost, or finishes all the same', async () => {
    const lost = await add({ status: 'running', attempts: 1 })
    expect((await cancel(lost)).status).toBe(200)
    expect(await carry(lost, never)).toBeNull()
    const deaf = await add()
    const finish = Promise.withResolvers<void>()
    const running = carry(deaf, () => finish.promise)
    await eventually(async () => expect((await find(deaf)).status).toBe('running'))
    await cancel(deaf)
    finish.resolve()
    expect(await running).toBeNull()
    for (const id of [lost, deaf]) expect(await find(id)).toMatchObject({ status: 'cancelled', result: null })
  })
})

it('a job that is not there cannot be cancelled', async () => {
  const missing = '/bot/api/jobs/01890000-0000-7000-8000-000000000000/cancel'
  expect((await call(app, 'POST', missing, { as: admin, body: {} })).status).toBe(404)
})
