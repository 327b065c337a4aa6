import { Policy } from '@shapecast/contracts/policy'
import { endpointsOf } from '@shapecast/contracts/table'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { storePolicy } from '@shapecast/platform/policy'
import { confirmSession } from '@shapecast/platform/sessions'
import { expect, it } from 'vitest'
import { memoryVenue } from './support/memory-venue.ts'
import { call, type Person } from './support/service-bench.ts'
import { wholeService } from './support/whole-service.ts'

/** Fresh proof of who calls: of a session that was left open, and of one whose person has just given it. */
const { app, db, sessions, users } = await wholeService({
  venue: memoryVenue({ 'BTCUSDT 1h': generateCandles({ candles: 50, seed: 1 }) }),
  prefix: '',
})
const { userId } = users.admin
const left = await sessions.issue({ userId, role: 'admin' })
const open: Person = { userId, role: 'admin', address: 'test', token: left.accessToken }
const ofOwner = await sessions.issue({ userId: users.owner.userId, role: 'user' })
const owner: Person = { userId: users.owner.userId, role: 'user', address: 'test', token: ofOwner.accessToken }

type Request = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} ${string}`
const ask = (request: Request, body: unknown, as = open) => {
  const [method, path] = request.split(' ') as ['POST', string]
  return call(app, method, path.replace('{real}', made.real!).replace('{virtual}', made.virtual!), { as, body })
}
const LIMITS = { maxOrderNotional: 100, maxPositionNotional: 200, maxDayLoss: 20, maxDayOrders: 20 }
/** Needs no model. */
const parameters = { policy: 'fixed_share', limits: LIMITS }
const BOT = {
  name: 'R',
  tradingPairs: ['BTCUSDT'],
  positionSize: 0.01,
  initialBalance: 1000,
  stopLossPct: 5,
  parameters,
}
const made: Record<string, string> = {}
made.real = (await ask('POST /api/bots', { ...BOT, isVirtual: false })).body.botId
made.virtual = (await ask('POST /api/bots', { ...BOT, name: 'V' })).body.botId

const ORDER = { symbol: 'BTCUSDT', side: 'buy', type: 'market', amount: 0.01 }
const REAL = { confirm: 'real money' }
const KEYS = { apiKey: 'a key of somebody', secret: 'a secret of somebody' }
const limited = (over: object) => ({ parameters: { ...parameters, limits: { ...LIMITS, ...over } } })

/** In this order: what is lowered can be raised again. */
const CASES: readonly (readonly [name: string, what: string, takesProof: boolean, request: Request, body?: unknown])[] =
  [
    ['placeOrder', 'a real purchase', true, 'POST /api/order', { ...ORDER, isVirtual: false }],
    ['placeOrder', 'a real sale', true, 'POST /api/order', { ...ORDER, side: 'sell', isVirtual: false }],
    [
      'placeOrder',
      'a real limit order',
      true,
      'POST /api/order',
      { ...ORDER, type: 'limit', price: 1, isVirtual: false },
    ],
    ['placeOrder', 'a virtual order', false, 'POST /api/order', ORDER],
    [
      'autoTrade',
      'with real money',
      true,
      'POST /api/ml/auto-trade',
      { symbol: 'BTCUSDT', amount: 1, isVirtual: false },
    ],
    ['autoTrade', 'virtually', false, 'POST /api/ml/auto-trade', { symbol: 'BTCUSDT', amount: 1 }],
    ['putKeys', 'a key of the exchange', true, 'POST /api/accounts/keys', KEYS],
    ['deleteKeys', 'to forget the key', true, 'DELETE /api/accounts/keys'],
    ['changeTradingLimits', 'lower', false, 'PATCH /api/accounts/limits', { maxOrderNotional: 50, maxDayNotional: 60 }],
    ['changeTradingLimits', 'the same', false, 'PATCH /api/accounts/limits', { maxOrderNotional: 50 }],
    ['changeTradingLimits', 'an order higher', true, 'PATCH /api/accounts/limits', { maxOrderNotional: 1e9 }],
    [
      'changeTradingLimits',
      'one higher, one lower',
      true,
      'PATCH /api/accounts/limits',
      { maxOrderNotional: 1, maxDayNotional: 61 },
    ],
    ['changeRealBotsLimits', 'lower', false, 'PATCH /api/accounts/limits/bots', { maxBotsNotional: 500 }],
    ['changeRealBotsLimits', 'higher', true, 'PATCH /api/accounts/limits/bots', { maxBotsNotional: 1e9 }],
    ['changeRealBotsLimits', 'more often', true, 'PATCH /api/accounts/limits/bots', { maxOrdersAMinute: 11 }],
    ['patchBot', 'a name of a real one', false, 'PATCH /api/bots/{real}', { name: 'Renamed' }],
    ['patchBot', 'a smaller position of a real one', false, 'PATCH /api/bots/{real}', { positionSize: 0.005 }],
    ['patchBot', 'a larger position of a real one', true, 'PATCH /api/bots/{real}', { positionSize: 0.02 }],
    ['patchBot', 'a larger drawdown of a real one', true, 'PATCH /api/bots/{real}', { maxDrawdown: 20 }],
    ['patchBot', 'no stop-loss of a real one', true, 'PATCH /api/bots/{real}', { stopLossPct: 0 }],
    ['patchBot', 'lower limits of a real one', false, 'PATCH /api/bots/{real}', limited({ maxDayLoss: 10 })],
    ['patchBot', 'higher limits of a real one', true, 'PATCH /api/bots/{real}', limited({ maxDayLoss: 21 })],
    ['patchBot', 'a larger position of a virtual one', false, 'PATCH /api/bots/{virtual}', { positionSize: 1 }],
    ['startBot', 'a real one', true, 'POST /api/bots/{real}/start', REAL],
    ['startBot', 'a virtual one', false, 'POST /api/bots/{virtual}/start', {}],
    ['takeModel', 'of a real one', true, 'POST /api/bots/{real}/take-model', {}],
    ['takeModel', 'of a real one at once', true, 'POST /api/bots/{real}/take-model', { when: 'now' }],
    ['takeModel', 'of a virtual one', false, 'POST /api/bots/{virtual}/take-model', {}],
    ['rebalanceBot', 'a real one', true, 'POST /api/bots/{real}/rebalance', REAL],
    ['rebalanceBot', 'a virtual one', false, 'POST /api/bots/{virtual}/rebalance', {}],
    ['killBots', 'to sell what the bots hold', true, 'POST /api/bots/kill', { close: true, ...REAL }],
    ['killBots', 'to stop', false, 'POST /api/bots/kill', {}],
    ['allowRealTrading', 'to trade again', true, 'DELETE /api/bots/kill'],
  ]

it('a real and a virtual bot are there to try', () => expect(Object.values(made).filter(Boolean)).toHaveLength(2))

it('every trading call that takes proof is tried here', () => {
  const declared = endpointsOf('trading').filter(([, { proof }]) => proof !== undefined)
  expect(declared.map(([name]) => name).sort()).toEqual([...new Set(CASES.map(([name]) => name))].sort())
})

it.each(CASES)('%s, %s: takes proof: %s', async (_name, _what, takesProof, request, body) => {
  await confirmSession(db.orm, left.sid, 0)
  const code = async () => (await ask(request as Request, body)).body.code
  if (takesProof) expect(await code()).toBe('confirmation_required')
  else return expect(await code()).not.toBe('confirmation_required')
  await confirmSession(db.orm, left.sid, Date.now() - 5 * 60_000)
  expect(await code()).toBe('confirmation_required')
  await confirmSession(db.orm, left.sid, Date.now())
  expect(await code()).not.toBe('confirmation_required')
})

it('no proof is asked for an order of a user who may place virtual ones only, whatever the body says', async () => {
  const { body } = await ask('POST /api/order', { ...ORDER, isVirtual: false }, owner)
  expect(body.code).not.toBe('confirmation_required')
})

it('calls other than a start take proof even where the policy asks for none before a start', async () => {
  await storePolicy(db.orm, Policy.parse({ confirmRealBots: false }))
  await confirmSession(db.orm, left.sid, 0)
  const codeOf = async (request: Request, body?: unknown) => (await ask(request, body)).body.code
  expect(await codeOf('POST /api/bots/{real}/start', REAL)).not.toBe('confirmation_required')
  const asking: readonly (readonly [Request, unknown?])[] = [
    ['POST /api/order', { ...ORDER, isVirtual: false }],
    ['PATCH /api/accounts/limits', { maxDayNotional: 1e9 }],
    ['PATCH /api/accounts/limits/bots', { maxOrdersAMinute: 1_000 }],
    ['PATCH /api/bots/{real}', { positionSize: 1 }],
    ['POST /api/bots/{real}/take-model', {}],
    ['POST /api/bots/kill', { close: true, ...REAL }],
    ['DELETE /api/bots/kill'],
  ]
  for (const [request, body] of asking)
    expect([request, await codeOf(request, body)]).toEqual([request, 'confirmation_required'])
})
