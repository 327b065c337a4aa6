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

describe('statements', () => {
  let db: Database
  beforeAll(async () => {
    db = await createTestDatabase()
  })
  afterAll(() => db.close())

  const prepared = async (client: pg.PoolClient) =>
    (await client.query<{ statement: string }>('select statement from pg_prepared_statements')).rows.map(
      ({ statement }) => statement,
    )

  it('are prepared once by a connection, whoever asks them and whatever with', async () => {
    const client = await db.pool.connect()
    for (const n of [1, 2, 3]) expect((await client.query('select $1::int as n', [n])).rows).toEqual([{ n }])
    await client.query('select 4 as n')
    expect(await prepared(client)).toEqual(['select $1::int as n'])
    client.release()
  })

  it('answer as any other after a failure, also of their parsing', async () => {
    const client = await db.pool.connect()
    const divide = (by: number) => client.query('select 1 / $1::int as n', [by])
    await expect(divide(0)).rejects.toThrow('division by zero')
    expect((await divide(1)).rows).toEqual([{ n: 1 }])
    for (let k = 0; k < 2; k++) await expect(client.query('select nothing($1::int)', [1])).rejects.toThrow('nothing')
    client.release(true)
  })

  it('are as many as a connection keeps, and none as long as a list of hundreds makes it', async () => {
    const client = await db.pool.connect()
    const list = Array.from({ length: 700 }, (_, k) => k)
    const inList = `select ${list.map((k) => `$${k + 1}::int`).join(' + ')} as n`
    expect((await client.query(inList, list)).rows).toEqual([{ n: 244_650 }])
    expect(await prepared(client)).not.toContain(inList)
    for (let k = 0; k < 320; k++)
      expect((await client.query(`select $1::int + ${k} as n`, [1])).rows).toEqual([{ n: k + 1 }])
    expect(await prepared(client)).toHaveLength(300)
    client.release()
  })
})
