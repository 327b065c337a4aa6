import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from './database/database.ts'
import { createSessions, SESSION_MS } from './sessions.ts'
import { createTestDatabase } from './testing/test-database.ts'

const ANNA = '01890000-0000-7000-8000-00000000000a'
const START = Date.UTC(2026, 0, 1)
const SECRET = 'a secret of the tests, long enough'

describe('sessions', () => {
  let db: Database
  let at = START
  const sessionsOf = (secretKey = SECRET) => createSessions({ db, secretKey, now: () => at })
  beforeAll(async () => {
    db = await createTestDatabase()
  })
  afterAll(() => db.close())

  it('gives back who signed in', async () => {
    const { accessToken, sid } = await sessionsOf().issue({ userId: ANNA, role: 'admin' })
    expect(await sessionsOf().verify(accessToken)).toEqual({ userId: ANNA, role: 'admin', sid })
  })

  it('lasts 7 days and no second longer', async () => {
    at = START
    const { accessToken } = await sessionsOf().issue({ userId: ANNA, role: 'user' })
    at = START + SESSION_MS - 1000
    await expect(sessionsOf().verify(accessToken)).resolves.toMatchObject({ role: 'user' })
    at = START + SESSION_MS
    await expect(sessionsOf().verify(accessToken)).rejects.toMatchObject({ code: 'unauthorized' })
    at = START
  })

  it('is refused though it was known before: once it has run out, and where a letter of it is another', async () => {
    at = START
    const known = sessionsOf()
    const { accessToken } = await known.issue({ userId: ANNA, role: 'user' })
    for (let i = 0; i < 2; i++) expect(await known.verify(accessToken)).toMatchObject({ userId: ANNA })
    const forged = accessToken.replace(/.(?=.{20}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))
    await expect(known.verify(forged)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(sessionsOf(`${SECRET}, another`).verify(accessToken)).rejects.toMatchObject({ code: 'unauthorized' })
    at = START + SESSION_MS
    await expect(known.verify(accessToken)).rejects.toMatchObject({ code: 'unauthorized' })
    at = START
  })

  it('is ended at once for every process, also where its token is known', async () => {
    const { accessToken, sid } = await sessionsOf().issue({ userId: ANNA, role: 'user' })
    const otherProcess = sessionsOf()
    for (let i = 0; i < 2; i++) await otherProcess.verify(accessToken)
    await sessionsOf().end(sid)
    await expect(otherProcess.verify(accessToken)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('ends the others of a user and keeps the one in hand and those of other users', async () => {
    const sessions = sessionsOf()
    const mine = await sessions.issue({ userId: ANNA, role: 'user' })
    const old = await sessions.issue({ userId: ANNA, role: 'user' })
    const stranger = await sessions.issue({ userId: ANNA.replace(/a$/, 'b'), role: 'user' })
    await sessions.endOthers(ANNA, mine.sid)
    await expect(sessions.verify(old.accessToken)).rejects.toMatchObject({ code: 'unauthorized' })
    await sessions.verify(mine.accessToken)
    await sessions.endAll(ANNA)
    await expect(sessions.verify(mine.accessToken)).rejects.toMatchObject({ code: 'unauthorized' })
    await sessions.verify(stranger.accessToken)
  })

  it('refuses a token that another secret signed, one that was altered, and anything else', async () => {
    const foreign = await sessionsOf('another secret, just as long as ours').issue({ userId: ANNA, role: 'admin' })
    const [head, , signature] = foreign.accessToken.split('.')
    const forged = Buffer.from(JSON.stringify({ sub: ANNA, role: 'admin', sid: foreign.sid })).toString('base64url')
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${forged}.`
    for (const token of [foreign.accessToken, `${head}.${forged}.${signature}`, unsigned, '', 'x.y.z'])
      await expect(sessionsOf().verify(token)).rejects.toMatchObject({ code: 'unauthorized' })
  })
})
