import type { Socket } from 'node:net'
import { AppError } from '@shapecast/contracts/errors'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../logging.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { connect, type Database } from './database.ts'
import { isUnreachable } from './unreachable.ts'

describe('a connection that breaks', () => {
  let db: Database
  beforeAll(async () => {
    db = await createTestDatabase()
  })
  afterAll(() => db.close())

  it('in a transaction that asks nothing just then fails that transaction, and not the process', async () => {
    const broken = db.orm.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await db.pool.query('select pg_terminate_backend($1, 60000)', [rows[0]!.pid])
      await new Promise((resolve) => setTimeout(resolve, 100))
      return tx.execute(sql`select 1`)
    })
    const error: unknown = await broken.catch((failed: unknown) => failed)
    expect(error).toBeInstanceOf(Error)
    expect(isUnreachable(error)).toBe(true)
    expect((await db.pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  })

  it('is ended by the server when its process stands still in a transaction, and its locks go', async () => {
    const { rows } = await db.pool.query("select current_setting('idle_in_transaction_session_timeout') as set")
    expect(rows).toEqual([{ set: '30s' }])
    const stuck = await connect(db.url, silentLogger(), { idleInTransactionMs: 20 })
    const client = await stuck.pool.connect()
    const ended = new Promise((resolve) => client.once('end', resolve))
    await client.query('begin; select pg_advisory_xact_lock(1)')
    await ended
    // It would wait for ever.
    await db.pool.query('select pg_advisory_xact_lock(1)')
    const error: unknown = await client.query('select 1').catch((failed: unknown) => failed)
    expect(isUnreachable(error)).toBe(true)
    client.release(true)
    await stuck.close()
  })

  it('as a transaction begins is given back: of a pool of five, twelve in a row leave one that answers', async () => {
    const lose = (client: pg.PoolClient) => {
      ;(client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
    }
    db.pool.on('acquire', lose)
    for (let i = 0; i < 12; i++) await expect(db.orm.transaction((tx) => tx.execute(sql`select 1`))).rejects.toThrow()
    db.pool.off('acquire', lose)
    expect((await db.pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  })

  it.each([
    [Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), true],
    [new Error('Failed query', { cause: Object.assign(new Error('going down'), { code: '57P01' }) }), true],
    [new Error('Failed query', { cause: new Error('Connection terminated unexpectedly') }), true],
    [new Error('Failed query', { cause: new Error('timeout exceeded when trying to connect') }), true],
    [
      new AppError('venue_unreachable', 'no exchange', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }),
      false,
    ],
    [Object.assign(new Error('twice'), { code: '23505' }), false],
    ['no error', false],
  ])('is told from other failures: %s', (error, unreachable) => expect(isUnreachable(error)).toBe(unreachable))
})
