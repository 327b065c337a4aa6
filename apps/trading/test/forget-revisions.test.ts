import type { Database } from '@shapecast/platform/database/database'
import { silentLogger } from '@shapecast/platform/logging'
import { createQueue } from '@shapecast/platform/queue'
import { eventually } from '@shapecast/platform/testing/eventually'
import { createTestDatabase } from '@shapecast/platform/testing/test-database'
import { createSimulatedVenue } from '@shapecast/venues/simulated/simulated-venue'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compose } from '../src/compose.ts'
import { forgetOldRevisions } from '../src/market/forget-revisions.ts'
import { TRADING_MIGRATIONS } from './support/trading-migrations.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 5, 1)
let db: Database
beforeEach(async () => {
  db = await createTestDatabase([TRADING_MIGRATIONS])
})
afterEach(() => db.close())

const note = (daysAgo: number, count = 1) =>
  db.pool.query(
    `insert into trading.candle_revisions (series_id, ts, before, after, at_ms)
     select 1, n, array[1,1,1,1,1], array[2,2,2,2,2], $1 from generate_series(1, $2) n`,
    [NOW - daysAgo * DAY_MS, count],
  )
const agesLeft = async () => {
  const { rows } = await db.pool.query('select at_ms from trading.candle_revisions order by at_ms')
  return rows.map(({ at_ms }) => (NOW - Number(at_ms)) / DAY_MS)
}

it('forgets revisions of more than 90 days ago, and keeps those of 90 and less', async () => {
  for (const days of [400, 90.001, 90, 1, 0]) await note(days)
  expect(await forgetOldRevisions(db.orm, NOW)).toBe(2)
  expect(await agesLeft()).toEqual([90, 1, 0])
  expect(await forgetOldRevisions(db.orm, NOW)).toBe(0)
})

it('more old revisions than one batch of 10,000 are deleted', async () => {
  await note(100, 25_000)
  await note(5)
  expect(await forgetOldRevisions(db.orm, NOW)).toBe(25_000)
  expect(await agesLeft()).toEqual([5])
})

it('the worker deletes old revisions as part of its regular work', async () => {
  await note(91)
  await note(89)
  const log = silentLogger()
  const queue = await createQueue(db, log)
  const venue = createSimulatedVenue({ now: () => NOW })
  const worker = await compose({ db, queue, venue, log, now: () => NOW }).worker()
  await eventually(async () => expect(await agesLeft()).toEqual([89]))
  await queue.stop()
  await worker.stop()
})
