import { endpointsOf } from '@shapecast/contracts/table'
import { badTokens, CALLERS, refusalOf, type Tokens } from '@shapecast/platform/testing/callers'
import { describe, expect, it } from 'vitest'
import { SECRET_KEY } from './support/service-bench.ts'
import { wholeService } from './support/whole-service.ts'

/** The whole service as it is mounted: who gets in where, and that no input at all makes it fall over. */
const ABSENT = '01890000-0000-7000-8000-000000000000'
const tokens = {} as Tokens

const { app, db, sessions, users } = await wholeService()
const { owner: user, other, manager, admin } = users
const gone = { userId: ABSENT, role: 'admin' } as const
Object.assign(tokens, await badTokens({ db, secretKey: SECRET_KEY }, admin), {
  disabled: (await sessions.issue(gone)).accessToken,
  user: user.token,
  'other user': other.token,
  manager: manager.token,
  admin: admin.token,
})
// As the trigger on accounts does, whose table is the social service's.
await sessions.endAll(gone.userId)

const filled = (path: string) => `/bot${path.replace(':symbol', 'BTCUSDT').replace(/:\w+/g, ABSENT)}`
const ask = (method: string, url: string, token: string | null, payload?: unknown) =>
  app.inject({
    method: method as 'GET',
    url,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { payload: payload as object }),
  })

it('names each method once of a path that several routes fit', async () => {
  const { statusCode, headers } = await ask('PUT', '/bot/api/bots/last-predictions', null)
  const methods = String(headers.allow).split(', ')
  expect([statusCode, methods[0], new Set(methods).size]).toEqual([405, 'GET', methods.length])
})

describe.each(endpointsOf('trading').map(([name, endpoint]) => ({ name, ...endpoint, endpoint })))(
  '$method $path ($name)',
  ({ method, path, publicPath, access, endpoint }) => {
    it(`lets in whom the contract lets in (${access}), and nobody else by any token`, async () => {
      for (const caller of CALLERS) {
        const body = method === 'GET' ? undefined : {}
        const reply = await ask(method, filled(path), tokens[caller], body)
        const { statusCode } = reply
        const refusal = refusalOf(endpoint, caller)
        if (refusal !== null) expect([caller, statusCode]).toEqual([caller, refusal])
        // Who may do it is still asked for a password.
        else if (!reply.body.includes('"confirmation_required"')) expect([401, 403]).not.toContain(statusCode)
        if (publicPath !== undefined)
          expect([401, 403]).not.toContain((await ask('GET', filled(publicPath), tokens[caller])).statusCode)
      }
    })

    it('answers senseless input with 4xx and { error, code }, never with 5xx', async () => {
      const { admin } = tokens
      const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)
      const bodies = [
        null,
        17,
        'x',
        [],
        {},
        deep,
        { symbol: '\u0000', limit: 1e308, from: -1, params: 'x' },
        { botId: {} },
      ]
      const replies =
        method === 'GET' || method === 'DELETE'
          ? await Promise.all(
              ['?limit=-1', '?limit=1e99', '?symbol=%00', '?timeframe[]=1', `?${'x'.repeat(2000)}=1`].flatMap(
                (query) => [
                  ask(method, filled(path) + query, admin),
                  ask(method, `/bot${path.replace(/:\w+/g, '%00')}${query}`, admin),
                  ask(method, `/bot${path.replace(/:\w+/g, '..%2f..%2fetc')}${query}`, admin),
                ],
              ),
            )
          : await Promise.all(bodies.map((body) => ask(method, filled(path), admin, body)))
      for (const reply of replies) {
        expect(reply.statusCode).toBeLessThan(500)
        if (reply.statusCode >= 400)
          expect(reply.json()).toMatchObject({ error: expect.any(String), code: expect.any(String) })
      }
    })
  },
)
