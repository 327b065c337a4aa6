import { afterAll, expect, it } from 'vitest'
import { answerTo } from '../http/errors.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { violationOf } from './violations.ts'

const db = await createTestDatabase()
await db.pool.query('create table owners (id int primary key)')
await db.pool.query('create table things (owner int references owners (id))')
await db.pool.query('insert into owners values (1)')
await db.pool.query('insert into things values (1)')
afterAll(() => db.close())

it.each([
  ['insert into things values (2)', 'gone', 404, 'not_found'],
  ['delete from owners where id = 1', 'still_named', 409, 'conflict'],
  ['insert into owners values (1)', 'twice', 409, 'conflict'],
  ['insert into owners values (null)', null, 500, 'internal'],
])('%s is %s and answered with %i %s', async (statement, violation, status, code) => {
  const error: unknown = await db.orm.execute(statement).catch((thrown: unknown) => thrown)
  expect(violationOf(error)).toBe(violation)
  const answer = answerTo(error)
  expect([answer.status, answer.body.code]).toEqual([status, code])
  expect(answer.body.error).not.toMatch(/owners|things|constraint/)
})
