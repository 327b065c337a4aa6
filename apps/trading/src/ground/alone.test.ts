import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { afterAll, expect, it } from 'vitest'
import { alone } from './alone.ts'

const LOCK = 7
const db = await createTestDatabase([])
afterAll(() => db?.close())

it('is done by one process at a time', async () => {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const work = () => {
    begun.resolve()
    return held.promise
  }
  const first = alone(db, work, LOCK)
  await begun.promise
  expect(await alone(db, async () => {}, LOCK)).toBe(false)
  held.resolve()
  expect(await first).toBe(true)
  expect(await alone(db, async () => {}, LOCK)).toBe(true)
})
