import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { afterAll, expect, it } from 'vitest'
import { soakFeed } from '../../../test/support/feed-soak.ts'
import { TRADING_MIGRATIONS } from '../../../test/support/trading-migrations.ts'

const db = await createTestDatabase([TRADING_MIGRATIONS])
afterAll(() => db?.close())

it('stores four hours of three coins complete and exact while connections drop, messages are lost, late and double', async () => {
  const result = await soakFeed(db, { symbols: 3, minutes: 240, minutesASecond: 100, faultEveryMs: 250, seed: 5 })
  const { expected, gapMinutes } = result
  expect(result).toMatchObject({ exact: expected, missing: 0, wrong: 0, invented: 0, knownGapMinutes: gapMinutes })
  expect(gapMinutes).toBe(14)
  expect(expected).toBe(3 * 540 - 14)
  expect(result.revised).toBeGreaterThan(0)
  expect(result.revisionsKept).toBeGreaterThan(0)
  expect(result.feedChanges).toBeGreaterThan(0)
  expect(result.connections).toBeGreaterThan(3)
})
