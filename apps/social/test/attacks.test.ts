import * as argon2 from '@node-rs/argon2'
import { connect } from '@shapecast/platform/database/database'
import { createHttp } from '@shapecast/platform/http/build-service'
import { silentLogger } from '@shapecast/platform/logging'
import { createSessions } from '@shapecast/platform/sessions'
import pg from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { socialService } from '../src/app.ts'
import { hashPassword } from '../src/proof/password-hash.ts'
import { benchOfFile } from './bench-of-file.ts'
import { NO_TRADING, SECRET_KEY } from './social-bench.ts'

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof import('@node-rs/argon2')>()
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) }
})

const { bench } = await benchOfFile()
const ANNS = 'Ann@example.org'
const NOBODYS = 'nobody@example.org'

describe('what is done for an address that has no account', () => {
  /** Password checks, hashes and statements of one request. */
  async function workOf(path: string, body: object): Promise<object> {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    vi.mocked(argon2.verify).mockClear()
    vi.mocked(argon2.hash).mockClear()
    const { status } = await bench.ask('POST', path, null, body, '10.0.0.7')
    const statements = query.mock.calls.length
    query.mockRestore()
    const [checks, hashes] = [argon2.verify, argon2.hash].map((one) => vi.mocked(one).mock.calls.length)
    return { status, checks, hashes, statements }
  }

  it('is the same as for one that has, at sign-in', async () => {
    const guess = (email: string) => workOf('/api/auth/login', { email, password: 'a wrong one' })
    await guess(NOBODYS)
    const work = await guess(NOBODYS)
    expect(work).toMatchObject({ status: 401, checks: 1, hashes: 0 })
    expect(await guess(ANNS)).toEqual(work)
  })

  it('is the same as for one that has, at a reset code', async () => {
    const guess = (email: string) =>
      workOf('/api/auth/reset', { email, code: 'aaaa-aaaa-aaaa-aaaa', newPassword: 'a new password' })
    const work = await guess(NOBODYS)
    expect(work).toMatchObject({ status: 403, checks: 0, hashes: 1 })
    expect(await guess(ANNS)).toEqual(work)
  })
})

describe('a list of stolen passwords', () => {
  it('costs 19 MiB and two passes for each guess at a hash', async () => {
    expect(await hashPassword('secret-1')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('tried at two processes at once gets the guesses of one', async () => {
    const db = await connect(bench.db.url, silentLogger(), { max: 10 })
    const other = createHttp(silentLogger())
    const sessions = createSessions({ db, secretKey: SECRET_KEY })
    await other.register(
      socialService({ db, sessions, secretKey: SECRET_KEY, log: silentLogger(), tradingData: NO_TRADING }),
      { prefix: '/soc' },
    )
    afterAll(async () => {
      await other.close()
      await db.close()
    })
    const stuff = (emailOf: (i: number) => string, address: string) =>
      Promise.all(
        Array.from({ length: 80 }, async (_, i) => {
          const app = i % 2 === 0 ? bench.app : other
          const payload = { email: emailOf(i), password: `stolen ${i}` }
          const url = '/soc/api/auth/login'
          return (await app.inject({ method: 'POST', url, payload, remoteAddress: address })).statusCode
        }),
      )
    const count = (statuses: number[]) => statuses.filter((status) => status === 401).length
    const atMany = await stuff((i) => `p${i}@example.org`, '10.0.0.8')
    expect([count(atMany), new Set(atMany)]).toEqual([30, new Set([401, 429])])
    const atOne = await stuff(() => ANNS, '10.0.0.9')
    expect([count(atOne), new Set(atOne)]).toEqual([10, new Set([401, 429])])
  })
})
