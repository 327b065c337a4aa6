import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordAudit, SYSTEM } from './audit.ts'
import type { Database } from './database/database.ts'
import { audit } from './tables.ts'
import { createTestDatabase } from './testing/test-database.ts'

describe('the audit', () => {
  let db: Database
  beforeAll(async () => {
    db = await createTestDatabase()
  })
  afterAll(() => db.close())

  it('keeps who did what, from where, and what changed; and nothing takes it back', async () => {
    await recordAudit(
      db.orm,
      { userId: '01890000-0000-7000-8000-00000000000a', address: '192.0.2.7' },
      {
        action: 'user.role_changed',
        subject: { type: 'user', id: 'bob' },
        before: { role: 'user' },
        after: { role: 'admin' },
      },
    )
    for (const attack of [
      "update platform.audit set action = 'nothing'",
      'delete from platform.audit',
      'truncate platform.audit',
    ])
      await expect(db.pool.query(attack)).rejects.toThrow('append-only')
    expect(await db.orm.select().from(audit)).toMatchObject([
      {
        actorId: '01890000-0000-7000-8000-00000000000a',
        address: '192.0.2.7',
        action: 'user.role_changed',
        subjectType: 'user',
        subjectId: 'bob',
        before: { role: 'user' },
        after: { role: 'admin' },
      },
    ])
  })

  it('is undone together with the change that it speaks of', async () => {
    const before = await db.orm.$count(audit)
    await db.orm
      .transaction(async (orm) => {
        await recordAudit(orm, SYSTEM, { action: 'x.y', subject: { type: 'x', id: '1' } })
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect(await db.orm.$count(audit)).toBe(before)
  })
})
