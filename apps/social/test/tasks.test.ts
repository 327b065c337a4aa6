import type { Task } from '@shapecast/contracts/tasks'
import { readPolicy, storePolicy } from '@shapecast/platform/policy'
import { describe, expect, it } from 'vitest'
import { benchOfFile } from './bench-of-file.ts'

const { bench, ann, bob, manager, admin, propose } = await benchOfFile()

const titles = async (query: string, as = bob): Promise<string[]> =>
  (await bench.ask('GET', `/api/tasks?${query}`, as)).body.tasks.map(({ title }: Task) => title)

describe('a task', () => {
  it('begins as proposed, of medium priority, without votes, by its author', async () => {
    const task = await propose(ann, {
      title: '  Show funding cost  ',
      votesFor: 99,
      status: 'completed',
      userId: bob.userId,
    })
    expect(task).toEqual({
      _id: expect.any(String),
      title: 'Show funding cost',
      description: 'List it as a line of its own.',
      status: 'proposed',
      priority: 'medium',
      tags: [],
      author: { id: ann.userId, username: 'Ann' },
      votesFor: 0,
      votesAgainst: 0,
      myVote: null,
      mayChange: true,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    })
    expect((await bench.ask('GET', `/api/tasks/${task._id}`, bob)).body).toEqual({
      task: { ...task, mayChange: false },
    })
  })

  it.each([
    [{ title: ' Fees ' }, 'title', 'Title must be at least 5 characters'],
    [{ description: 'Too short ' }, 'description', 'Description must be at least 10 characters'],
    [{ title: 'Funding\u0000 cost' }, 'title', 'cannot be stored'],
    [{ priority: 'urgent' }, 'priority', 'low, medium, high'],
    [{ tags: ['<b>'] }, 'tags.0', 'A tag has letters'],
  ])('is refused as %j, with the field', async (wrong, field, text) => {
    const draft = { title: 'Show funding cost', description: 'List it as a line.', ...wrong }
    const { status, body } = await bench.ask('POST', '/api/tasks', ann, draft)
    expect([status, body.field]).toEqual([400, field])
    expect(body.error).toContain(text)
  })

  it('is proposed once by one key, however often and at once it is asked for; each user has keys of their own', async () => {
    const ask = (as: typeof ann, key: string, title = 'Propose it once') =>
      bench.ask('POST', '/api/tasks', as, { title, description: 'Though the answer is lost.' }, undefined, key)
    const replies = await Promise.all([1, 2, 3].map(() => ask(ann, 'k')))
    const [id, ...rest] = new Set(replies.map(({ body }) => body.task?._id))
    expect([replies.map(({ status }) => status), rest]).toEqual([[200, 200, 200], []])
    // As it is by then.
    await bench.ask('PATCH', `/api/tasks/${id}`, ann, { priority: 'high' })
    expect((await ask(ann, 'k')).body.task).toMatchObject({ _id: id, priority: 'high' })
    expect((await ask(bob, 'k')).body.task._id).not.toBe(id)
    const other = await ask(ann, 'k', 'Propose another')
    expect([other.status, other.body.code, other.body.field]).toEqual([409, 'conflict', 'Idempotency-Key'])
    expect((await ask(ann, ' ')).status).toBe(400)
    await bench.ask('DELETE', `/api/tasks/${id}`, ann)
    expect((await ask(ann, 'k')).status).toBe(404)
  })

  it('may be moved and given another priority by its author; nothing else of it changes', async () => {
    const { _id } = await propose(ann)
    const change = { status: 'in_progress', priority: 'high', title: 'Mine now', votesFor: 7 }
    const { body } = await bench.ask('PATCH', `/api/tasks/${_id}`, ann, change)
    expect(body.task).toMatchObject({ ...change, title: 'Show funding cost', votesFor: 0 })
    expect((await bench.ask('PATCH', `/api/tasks/${_id}`, ann, { status: 'lost' })).status).toBe(400)
    expect((await bench.ask('PATCH', `/api/tasks/${_id}`, ann, {})).status).toBe(400)
  })

  it('is gone once it is deleted, and comes back to anyone who may undo it', async () => {
    const { _id } = await propose(ann)
    expect((await bench.ask('DELETE', `/api/tasks/${_id}`, manager)).body).toEqual({ ok: true })
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
    ] as const)
      expect((await bench.ask(method, `/api/tasks/${_id}${path}`, ann, { status: 'approved' })).status).toBe(404)
    expect(await titles(`author=${ann.userId}&limit=1000`)).not.toContain(_id)
    expect((await bench.ask('POST', `/api/tasks/${_id}/restore`, bob)).status).toBe(403)
    expect((await bench.ask('POST', `/api/tasks/${_id}/restore`, manager)).body.task._id).toBe(_id)
    await bench.ask('DELETE', `/api/tasks/${_id}`, manager)
    for (const person of [ann, admin])
      expect((await bench.ask('POST', `/api/tasks/${_id}/restore`, person)).status).toBe(200)
  })

  it('is moved and deleted by its author and the management roles, and by everybody where an admin allows it', async () => {
    const { _id } = await propose(ann)
    const mayChange = async (person: typeof ann) =>
      (await bench.ask('GET', `/api/tasks/${_id}`, person)).body.task.mayChange
    expect([await mayChange(ann), await mayChange(manager), await mayChange(bob)]).toEqual([true, true, false])
    const { tasks } = (await bench.ask('GET', `/api/tasks?author=${ann.userId}`, bob)).body
    expect(tasks[0].mayChange).toBe(false)
    const refused = { status: 403, body: { error: 'Only its author, admins and managers may change this task.' } }
    expect(await bench.ask('PATCH', `/api/tasks/${_id}`, bob, { status: 'approved' })).toMatchObject(refused)
    expect(await bench.ask('DELETE', `/api/tasks/${_id}`, bob)).toMatchObject(refused)
    for (const [person, status] of [
      [ann, 'approved'],
      [manager, 'in_progress'],
      [admin, 'completed'],
    ] as const)
      expect((await bench.ask('PATCH', `/api/tasks/${_id}`, person, { status })).status).toBe(200)
    await storePolicy(bench.db.orm, { ...(await readPolicy(bench.db.orm)), tasksRestricted: false })
    try {
      expect(await mayChange(bob)).toBe(true)
      expect((await bench.ask('PATCH', `/api/tasks/${_id}`, bob, { status: 'approved' })).status).toBe(200)
      expect((await bench.ask('DELETE', `/api/tasks/${_id}`, bob)).status).toBe(200)
    } finally {
      await bench.db.pool.query("delete from platform.installation where key = 'policy'")
    }
  })

  it('is proposed a hundred times a day by one user, and not once more', async () => {
    const busy = await bench.person('busy')
    await bench.db.pool.query(
      `insert into social.tasks (title, description, status, priority, tags, author_id, created_at_ms, updated_at_ms)
       select 'Old one', 'of before', 'cancelled', 'low', '{}', $1, $2, 0 from generate_series(1, 99)`,
      [busy.userId, Date.now()],
    )
    const draft = { title: 'One more', description: 'And another one.' }
    const replies = await Promise.all([1, 2, 3].map(() => bench.ask('POST', '/api/tasks', busy, draft)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  })
})

describe('the list of tasks', () => {
  it('is filtered by status, priority, author and tags, and paged, the newest first', async () => {
    const zoe = await bench.person('Zoe')
    await propose(zoe, { title: 'First', priority: 'high', tags: ['Costs', 'backtest'] })
    const { _id } = await propose(zoe, { title: 'Second', tags: ['costs'] })
    await propose(zoe, { title: 'Third', priority: 'high' })
    await bench.ask('PATCH', `/api/tasks/${_id}`, zoe, { status: 'approved' })
    const hers = `author=${zoe.userId}`
    expect(await titles(hers)).toEqual(['Third', 'Second', 'First'])
    expect(await titles(`${hers}&status=approved`)).toEqual(['Second'])
    expect(await titles(`${hers}&priority=high`)).toEqual(['Third', 'First'])
    expect(await titles(`${hers}&tags=costs`)).toEqual(['Second', 'First'])
    expect(await titles(`${hers}&tags=costs&tags=backtest`)).toEqual(['First'])
    expect(await titles(`${hers}&limit=2&page=2`)).toEqual(['First'])
    const { body } = await bench.ask('GET', `/api/tasks?${hers}&limit=2`, bob)
    expect(body).toMatchObject({ total: 3, page: 1, limit: 2 })
    expect((await bench.ask('GET', '/api/tasks?limit=1000', bob)).status).toBe(200)
    for (const wrong of ['limit=1001', 'page=0', 'author=zoe', 'status=open', 'tags=%3Cb%3E'])
      expect((await bench.ask('GET', `/api/tasks?${wrong}`, bob)).status).toBe(400)
  })
})
