import type { AnyEndpoint } from '@shapecast/contracts/endpoint'
import { endpointsOf } from '@shapecast/contracts/table'
import { emptyCandles } from '@shapecast/engine/candles'
import { describe, expect, it } from 'vitest'
import { memoryVenue } from './support/memory-venue.ts'
import { wholeService } from './support/whole-service.ts'

/** Who may do what with whose bot: every call about one bot, as the table of endpoints has it. */
const CALLERS = ['nobody', 'owner', 'other', 'manager', 'admin'] as const
type Caller = (typeof CALLERS)[number]
type Visibility = 'public' | 'private'

const calls = endpointsOf('trading').filter(([, { path }]) => path.startsWith('/api/bots/:id'))

const { app, users, db } = await wholeService({ prefix: '', venue: memoryVenue({ 'BTCUSDT 1h': emptyCandles(0) }) })

const send = (method: string, url: string, who: Caller, payload?: object) =>
  app.inject({
    method: method as 'GET',
    url,
    headers: who === 'nobody' ? {} : { authorization: `Bearer ${users[who].token}` },
    ...(payload === undefined ? {} : { payload }),
  })

let made = 0
async function botOf(visibility: Visibility): Promise<string> {
  // A user has at most 200 bots.
  await db.pool.query('delete from trading.bots')
  const policy = { initialBalance: 100, parameters: { policy: 'fixed_share' } }
  const reply = await send('POST', '/api/bots', 'owner', { name: `B ${++made}`, visibility, ...policy })
  return reply.json().data.botId
}

/** Reads that are the owner's and admins' alone: what calls cost, what was ordered, and what is dear to work out. */
const OWN = ['/api/bots/:id/openai', '/api/bots/:id/parity', '/api/bots/:id/orders', '/api/bots/:id/rebalance']

/** 200: let in, whatever the bot's state makes of the call. */
function expected({ method, path }: AnyEndpoint, who: Caller, visibility: Visibility): 200 | 401 | 403 | 404 {
  if (who === 'nobody') return 401
  if (who === 'owner' || who === 'admin') return 200
  if (visibility === 'private') return 404
  return (method === 'GET' && !OWN.includes(path)) || path.endsWith('/poll-prediction') ? 200 : 403
}

const REFUSALS = [401, 403, 404]
const admitted = (status: number) => (REFUSALS.includes(status) ? status : 200)

it('knows the calls about one bot', () => {
  const names = calls.map(([name]) => name)
  for (const name of [
    'bot',
    'startBot',
    'pauseBot',
    'stopBot',
    'resetBot',
    'patchBot',
    'deleteBot',
    'botBalance',
    'botTrades',
  ])
    expect(names).toContain(name)
})

describe.each(calls.map(([name, endpoint]) => ({ name, endpoint })))('$name', ({ endpoint }) => {
  it.each(['public', 'private'] as const)('admits the right callers for a %s bot', async (visibility) => {
    const { method, path, publicPath } = endpoint
    const payload =
      method === 'GET' || method === 'DELETE' ? undefined : method === 'PATCH' ? { name: 'C' } : { symbol: 'BTCUSDT' }
    for (const who of CALLERS) {
      const id = await botOf(visibility)
      const { statusCode } = await send(method, path.replace(':id', id), who, payload)
      expect([who, admitted(statusCode)]).toEqual([who, expected(endpoint, who, visibility)])
      expect(statusCode).toBeLessThan(500)
      if (publicPath === undefined) continue
      const twin = await send('GET', publicPath.replace(':id', id), who)
      expect([who, 'public path', twin.statusCode]).toEqual([who, 'public path', visibility === 'public' ? 200 : 404])
    }
  })
})
