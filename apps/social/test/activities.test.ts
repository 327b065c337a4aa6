import { randomUUID } from 'node:crypto'
import type { Activity } from '@shapecast/contracts/activities'
import { recordActivity } from '@shapecast/platform/activities'
import { recordAudit } from '@shapecast/platform/audit'
import { expect, it } from 'vitest'
import { benchOfFile } from './bench-of-file.ts'
import type { Person } from './social-bench.ts'

const { bench, ann, bob, manager, admin, propose } = await benchOfFile()

const feed = async (as: Person, path = '/api/activities'): Promise<Activity[]> =>
  (await bench.ask('GET', path, as)).body.activities
const told = ({ actor, action, subject, detail }: Activity) => [actor?.username ?? null, action, subject.name, detail]

it('the activity feed lists each change of a task once, the newest first', async () => {
  await bench.ask('PATCH', '/api/policy', admin, { tasksRestricted: false })
  const { _id } = await propose(ann)
  for (let again = 0; again < 2; again++) {
    await bench.ask('PATCH', `/api/tasks/${_id}`, bob, { status: 'in_voting' })
    await bench.ask('POST', `/api/votes/${_id}`, bob, { voteType: 'for', comment: `said ${again}` })
  }
  await bench.ask('DELETE', `/api/tasks/${_id}`, bob)
  await bench.ask('POST', `/api/tasks/${_id}/restore`, bob)
  expect((await feed(ann, `/api/activities?subject=${_id}`)).map(told)).toEqual([
    ['Bob', 'task.restored', 'Show funding cost', null],
    ['Bob', 'task.deleted', 'Show funding cost', null],
    ['Bob', 'vote.cast', 'Show funding cost', 'for'],
    ['Bob', 'task.moved', 'Show funding cost', 'in_voting'],
    ['Ann', 'task.created', 'Show funding cost', null],
  ])
  expect((await feed(ann, `/api/activities/user/${ann.userId}?type=task`)).map(told)).toEqual([
    ['Ann', 'task.created', 'Show funding cost', null],
  ])
})

it('activities of a private bot are shown to its owner and admins only', async () => {
  const bot = { type: 'bot', action: 'bot.started', actorId: ann.userId } as const
  const owner = { userId: ann.userId, isPublic: false }
  await recordActivity(bench.db.orm, { ...bot, subject: { id: randomUUID(), name: 'Secret' }, owner })
  await recordActivity(bench.db.orm, { ...bot, subject: { id: randomUUID(), name: 'Shown' } })
  for (const [person, seen] of [
    [ann, ['Shown', 'Secret']],
    [admin, ['Shown', 'Secret']],
    [bob, ['Shown']],
    [manager, ['Shown']],
  ] as const)
    for (const path of ['/api/activities?type=bot', `/api/activities/user/${ann.userId}?type=bot`])
      expect((await feed(person, path)).map(({ subject }) => subject.name)).toEqual(seen)
})

it('the activity feed shows no orders or addresses from the audit', async () => {
  await recordAudit(
    bench.db.orm,
    { userId: ann.userId, address: '203.0.113.24' },
    {
      action: 'order.placed',
      subject: { type: 'order', id: 'order-77' },
      after: { symbol: 'BTCUSDT', amount: 123.456 },
    },
  )
  for (const person of [ann, bob, admin]) {
    const text = JSON.stringify(await feed(person, '/api/activities?limit=200'))
    expect(text).not.toMatch(/order|203\.0\.113|123\.456|10\.0\.0\.1/)
  }
})

it('comes in pages that say whether more is to come', async () => {
  for (let i = 0; i < 5; i++)
    await recordActivity(bench.db.orm, {
      type: 'model',
      action: 'model.trained',
      actorId: null,
      subject: { id: `v${i}`, name: `v${i}` },
    })
  const page = async (n: number) => (await bench.ask('GET', `/api/activities?type=model&limit=2&page=${n}`, bob)).body
  const pages = [await page(1), await page(2), await page(3)]
  expect(pages.map((p) => p.hasMore)).toEqual([true, true, false])
  expect(pages.flatMap((p) => p.activities).map((a: Activity) => a.subject.name)).toEqual([
    'v4',
    'v3',
    'v2',
    'v1',
    'v0',
  ])
  expect(pages[0].activities[0].actor).toBeNull()
})
