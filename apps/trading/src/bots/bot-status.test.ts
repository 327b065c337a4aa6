import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { audit } from '@shapecast/platform/tables'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertBot } from '../../test/support/insert-bot.ts'
import { createServiceBench, type ServiceBench } from '../../test/support/service-bench.ts'
import {
  changeStatuses,
  changeStatusWhere,
  mayChange,
  requireMayChange,
  STATUS_CHANGES,
  type Status,
  type StatusCause,
  statusBy,
} from './bot-status.ts'
import { bots } from './tables.ts'

const STATUSES: Status[] = ['stopped', 'active', 'paused', 'error']
const CAUSES = Object.keys(STATUS_CHANGES) as StatusCause[]

/** What each cause makes of a bot that is stopped, active, paused, broken; a dash where it may not. */
const EXPECTED: Record<StatusCause, string> = {
  start: 'active - active active',
  pause: '- paused - -',
  stop: '- stopped stopped stopped',
  sell_kept: 'stopped - - -',
  reset: 'stopped - - -',
  emptied: 'stopped - - -',
  halt: '- paused paused -',
  failure: 'error error error -',
  demotion: '- paused - -',
  owner_not_allowed: '- paused - -',
  owner_leaves: '- stopped stopped stopped',
  kill_and_keep: '- stopped stopped stopped',
  kill_and_keep_on: 'stopped - - -',
  kill_and_sell: '- stopped stopped stopped',
}

let bench: ServiceBench
beforeAll(async () => {
  bench = await createServiceBench()
})
afterAll(() => bench.close())

const inTransaction = <T>(work: Parameters<typeof bench.db.orm.transaction<T>>[0]): Promise<T> =>
  bench.db.orm.transaction(work)
const botIn = async (status: Status, statusReason: string | null = 'as it was') => {
  const id = await insertBot(bench.db, bench.users.owner.userId, { status, statusReason, isVirtual: false })
  return { id, name: 'Tern', status, statusReason }
}
const rowOf = async (id: string) => (await bench.db.orm.select().from(bots).where(eq(bots.id, id)))[0]!
const auditOf = (id: string) => bench.db.orm.select().from(audit).where(eq(audit.subjectId, id)).orderBy(asc(audit.id))

describe('every status and every cause', () => {
  it.each(CAUSES)('%s changes what its row of the table says, and nothing else', async (cause) => {
    const ends: string[] = []
    for (const status of STATUSES) {
      const bot = await botIn(status)
      const change = statusBy(cause, 'why')
      const changed = inTransaction((tx) => changeStatuses(tx, [{ bot, change }]))
      if (mayChange(bot, cause)) {
        await changed
        expect(await rowOf(bot.id)).toMatchObject({ status: change.to, statusReason: change.reason })
      } else {
        await expect(changed).rejects.toThrow(`A bot that is ${status} takes no ${cause}.`)
        expect(await rowOf(bot.id)).toMatchObject({ status, statusReason: 'as it was' })
        expect(await auditOf(bot.id)).toEqual([])
      }
      ends.push(mayChange(bot, cause) ? change.to : '-')
    }
    expect(ends.join(' ')).toBe(EXPECTED[cause])
  })

  it.each(CAUSES)('%s is on record where the table says so', async (cause) => {
    const rule: { from: readonly Status[]; audit?: string } = STATUS_CHANGES[cause]
    const bot = await botIn(rule.from[0]!)
    const change = statusBy(cause, 'why')
    const by = { doer: bench.users.admin, before: { size: 1 }, after: { size: 2 } }
    await inTransaction((tx) => changeStatuses(tx, [{ bot, change }], by))
    const entries = (await auditOf(bot.id)).map(({ action, actorId, before, after }) => ({
      action,
      actorId,
      before,
      after,
    }))
    const entry = {
      action: rule.audit,
      actorId: by.doer.userId,
      before: { status: bot.status, statusReason: 'as it was', size: 1 },
      after: { status: change.to, statusReason: change.reason, size: 2 },
    }
    expect(entries).toEqual(rule.audit === undefined ? [] : [entry])
  })
})

it('refuses a person in words', async () => {
  const refusal = (status: Status, cause: StatusCause) => {
    try {
      requireMayChange({ name: 'Tern', status }, cause)
    } catch (error) {
      return error
    }
  }
  expect(refusal('active', 'start')).toMatchObject({ code: 'conflict', message: 'Tern is already active.' })
  expect(refusal('error', 'pause')).toMatchObject({ message: 'Tern is not active, so there is nothing to pause.' })
  expect(refusal('stopped', 'stop')).toMatchObject({ message: 'Tern is stopped already.' })
  expect(refusal('paused', 'stop')).toBeUndefined()
})

it('changes many at once, and of a condition only those that may', async () => {
  const seen = await Promise.all(STATUSES.map((status) => botIn(status)))
  const other = await insertBot(bench.db, bench.users.owner.userId, { status: 'active' })
  await inTransaction((tx) => changeStatusWhere(tx, eq(bots.isVirtual, false), statusBy('demotion', 'v3')))
  const [stopped, active, paused, error] = await Promise.all(seen.map(({ id }) => rowOf(id)))
  expect([stopped!.status, active!.status, paused!.status, error!.status]).toEqual([
    'stopped',
    'paused',
    'paused',
    'error',
  ])
  expect(active!.statusReason).toBe('v3 was taken out of production, and its bots were paused.')
  expect([paused!.statusReason, (await rowOf(other)).status]).toEqual(['as it was', 'active'])
})

describe('one file writes the status', () => {
  const TABLE = String.raw`(?:"?trading"?\."?bots"?|\$\{bots\})(?![\w.])`
  const WRITES = [
    // `.update(bots)` and `.insert(bots)` with the values that follow.
    /\.(?:update|insert)\(\s*bots\s*\)\s*\.(?:set|values)\((?<values>[^;]*?)\)\s*(?:\.|\n\s*\}|$)/gs,
    new RegExp(String.raw`(?:update|insert into)\s+${TABLE}(?<values>[^\`]*)`, 'gis'),
  ]
  const writesStatus = (source: string) =>
    WRITES.some((pattern) =>
      [...source.matchAll(pattern)].some(({ groups }) =>
        /\bstatus(?:_reason|Reason)?\b\s*(?:=|:|,)/.test(groups!.values!.split(/\bwhere\b/i)[0]!),
      ),
    )
  const root = join(import.meta.dirname, '../../..')
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /^(?:trading|social|shapecast)\/src\/.*(?<!\.test)\.ts$/.test(path) && !path.includes('node_modules'),
  )

  it('is the only file that writes it, over all servers', () => {
    const writers = sources.filter((path) => writesStatus(readFileSync(join(root, path), 'utf8')))
    expect(sources.length).toBeGreaterThan(200)
    expect(writers).toEqual(['trading/src/bots/bot-status.ts'])
  })

  it.each([
    "await tx.update(bots).set({ name, status: 'error' }).where(eq(bots.id, id))",
    'await tx.insert(bots).values({ ...row, statusReason: null })\n}',
    "sql`update trading.bots set status = 'paused' where id = 1`",
    `sql\`update \${bots} b set name = r.name, status_reason = r.reason from r\``,
  ])('finds a planted one: %s', (planted) => expect(writesStatus(planted)).toBe(true))

  it('knows reading from writing', () => {
    expect(writesStatus("sql`update trading.bots set name = 'x' where status = 'active'`")).toBe(false)
    expect(writesStatus("await tx.select({ status: bots.status }).from(bots).where(eq(bots.status, 'active'))")).toBe(
      false,
    )
  })
})
