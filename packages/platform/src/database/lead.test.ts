import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLogger } from '../logging.ts'
import { eventually } from '../testing/eventually.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { connect, type Database } from './database.ts'
import { type Candidate, LOST_LEAD_LASTS_MS, standForLead } from './lead.ts'

let db: Database
const candidates: Candidate[] = []
const databases: Database[] = []
beforeEach(async () => {
  db = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(candidates.splice(0).map((one) => one.stop()))
  await Promise.all(databases.splice(0).map((one) => one.close()))
  await db.close()
})

/** As a process of its own. */
async function stand(name: string, worked: string[] = []): Promise<Candidate> {
  const own = await connect(db.url, silentLogger())
  databases.push(own)
  const candidate = standForLead({
    locks: own.locks,
    name,
    log: silentLogger(),
    tryEveryMs: 50,
    async lead() {
      worked.push('started')
      return { stop: async () => void worked.push('stopped') }
    },
  })
  candidates.push(candidate)
  return candidate
}

it('lets one of three lead, another when it gives up, and each name by itself', async () => {
  const three = await Promise.all([stand('one'), stand('one'), stand('one')])
  const leading = () => three.filter((candidate) => candidate.leads())
  await eventually(() => expect(leading().length).toBe(1))
  const other = await stand('two')
  await eventually(() => expect(other.leads()).toBe(true))
  const [first] = leading()
  await first!.stop()
  await eventually(() => expect(leading().length).toBe(1))
  expect(leading()[0]).not.toBe(first)
})

it('stops the work and stands again where its connection breaks', async () => {
  const worked: string[] = []
  const candidate = await stand('one', worked)
  await eventually(() => expect(candidate.leads()).toBe(true))
  await db.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shapecast-locks' and datname = current_database()",
  )
  await eventually(() => expect(worked).toEqual(['started', 'stopped', 'started']))
})

it('a lost leader is replaced within ten seconds, as the waits are set', () =>
  expect(LOST_LEAD_LASTS_MS).toBeLessThan(10_000))
