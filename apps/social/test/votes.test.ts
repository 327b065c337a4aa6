import type { Task } from '@shapecast/contracts/tasks'
import { expect, it } from 'vitest'
import { castVote } from '../src/tasks/vote-service.ts'
import { benchOfFile } from './bench-of-file.ts'
import type { Person } from './social-bench.ts'

const { bench, ann, bob, propose } = await benchOfFile()

const cast = (id: string, as: Person, voteType: string, comment?: string) =>
  bench.ask('POST', `/api/votes/${id}`, as, { voteType, comment })
const read = async (id: string, as = ann): Promise<Task> => (await bench.ask('GET', `/api/tasks/${id}`, as)).body.task

it('a vote is counted once per user, for or against, and can be changed and withdrawn', async () => {
  const id = (await propose(ann))._id
  expect((await cast(id, ann, 'for')).body).toMatchObject({
    taskVotes: { for: 1, against: 0 },
    vote: { voteType: 'for', comment: '', user: { id: ann.userId, username: 'Ann' } },
  })
  expect((await cast(id, bob, 'for')).body.taskVotes).toEqual({ for: 2, against: 0 })
  expect((await cast(id, bob, 'against', ' Fifteen lines already. ')).body.taskVotes).toEqual({ for: 1, against: 1 })
  expect(await read(id, bob)).toMatchObject({ votesFor: 1, votesAgainst: 1, myVote: 'against' })
  expect((await bench.ask('GET', `/api/votes/${id}`, ann)).body).toMatchObject({
    taskVotes: { for: 1, against: 1 },
    comments: 1,
    votes: [
      { voteType: 'against', comment: 'Fifteen lines already.', user: { username: 'Bob' } },
      { voteType: 'for', comment: '', user: { username: 'Ann' } },
    ],
  })
  for (let again = 0; again < 2; again++)
    expect((await bench.ask('DELETE', `/api/votes/${id}`, bob)).body).toEqual({ taskVotes: { for: 1, against: 0 } })
  expect((await bench.ask('GET', `/api/votes/${id}/my-vote`, bob)).body).toEqual({ vote: null })
  expect((await bench.ask('GET', `/api/votes/${id}/my-vote`, ann)).body.vote.voteType).toBe('for')
})

it('votes are accepted while a task is proposed or in voting, and refused as closed otherwise', async () => {
  const id = (await propose(ann))._id
  const open: string[] = []
  for (const status of ['in_voting', 'approved', 'in_progress', 'completed', 'rejected', 'cancelled', 'proposed']) {
    await bench.ask('PATCH', `/api/tasks/${id}`, ann, { status })
    const { status: code, body } = await cast(id, bob, 'for')
    if (code === 200) open.push(status)
    else expect([code, body.code]).toEqual([409, 'voting_closed'])
    expect((await bench.ask('DELETE', `/api/votes/${id}`, bob)).status).toBe(code)
  }
  expect(open).toEqual(['in_voting', 'proposed'])
})

it('a count, another user or another task in the body of a vote changes nothing', async () => {
  const id = (await propose(ann))._id
  const other = (await propose(ann))._id
  const body = { voteType: 'for', votesFor: 50, userId: bob.userId, taskId: other, weight: 9 }
  expect((await bench.ask('POST', `/api/votes/${id}`, ann, body)).body.taskVotes).toEqual({ for: 1, against: 0 })
  expect((await read(other)).votesFor).toBe(0)
  expect((await cast(id, ann, 'twice')).status).toBe(400)
  await bench.ask('DELETE', `/api/tasks/${id}`, ann)
  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await bench.ask(method, `/api/votes/${id}`, bob, { voteType: 'for' })).status).toBe(404)
})

it('counts one of 100 at once by one person, and each of 100 people', async () => {
  const one = (await propose(ann))._id
  const many = (await propose(ann))._id
  const replies = await Promise.all(Array.from({ length: 100 }, () => cast(one, ann, 'for')))
  expect(replies.every(({ status }) => status === 200)).toBe(true)
  expect((await read(one)).votesFor).toBe(1)
  await bench.db.pool.query(
    `insert into social.users (username, email, role, password_hash, created_at_ms)
     select 'p' || n, 'p' || n || '@example.org', 'user', '', 0 from generate_series(1, 100) n`,
  )
  const { rows } = await bench.db.pool.query<{ id: string }>("select id from social.users where username like 'p%'")
  const ground = { db: bench.db, now: Date.now }
  const vote = (userId: string, voteType: 'for' | 'against') =>
    castVote(ground, many, { voteType, comment: '' }, { userId, role: 'user', address: '10.0.0.1' })
  await Promise.all(rows.map(({ id }, i) => vote(id, i < 60 ? 'for' : 'against')))
  expect(await read(many)).toMatchObject({ votesFor: 60, votesAgainst: 40 })
  // An account that is deleted takes its vote along.
  await bench.db.pool.query('delete from social.users where id = any($1)', [rows.slice(0, 10).map(({ id }) => id)])
  expect(await read(many)).toMatchObject({ votesFor: 50, votesAgainst: 40 })
})
