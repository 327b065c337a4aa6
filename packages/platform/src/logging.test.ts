import { sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { createLogger } from './logging.ts'
import { createTestDatabase } from './testing/test-database.ts'

const db = await createTestDatabase()
afterAll(() => db.close())

it('the log says which query failed and why, and none of its values, wherever the error stands', async () => {
  const lines: string[] = []
  const log = createLogger('info', 'test', { write: (line) => lines.push(line) })
  const failed: unknown = await db.orm.execute(sql`select ${'$argon2id$abc'}::text, 1 / 0`).catch((error) => error)
  log.error({ err: failed }, 'failed')
  log.error({ err: new Error('could not', { cause: failed }) }, 'failed')
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line).not.toContain('argon2id')
    expect(line).toContain('Failed query: select $1::text, 1 / 0')
    expect(line).toContain('division by zero')
  }
})
