import type { Access, AnyEndpoint, Service } from '@shapecast/contracts/endpoint'
import { endpointsOf } from '@shapecast/contracts/table'
import { describe, expect, it } from 'vitest'
import { fieldAt, fieldsOf, type JsonSchema } from './json-schema.ts'

/**
 * What callers rely on: `METHOD path`, who may call, the fields that may be sent (`= x`: what one is where it is left
 * out), and fields of the reply. `*`: readable without a token too, under /public.
 */
type Call = readonly [call: string, access: Access, sent: string, reply: string]

const SOCIAL: readonly Call[] = [
  ['POST /api/auth/register', 'public', 'username email password', 'accessToken user.username user.email user.role'],
  ['POST /api/auth/login', 'public', 'email password', 'accessToken user.username user.email user.role'],
  ['GET /api/auth/profile', 'user', '', 'user.username user.email user.role'],
  ['POST /api/auth/logout', 'user', '', ''],
  ['GET /api/tasks', 'user', 'status priority author page=1 limit tags', 'tasks._id'],
  ['GET /api/tasks/:id', 'user', '', 'task._id'],
  ['POST /api/tasks', 'user', 'title description priority="medium"', 'task._id'],
  ['PATCH /api/tasks/:id', 'user', 'status', 'task.status'],
  ['DELETE /api/tasks/:id', 'user', '', ''],
  ['POST /api/votes/:taskId', 'user', 'voteType comment', 'taskVotes.for'],
  ['GET /api/votes/:taskId', 'user', '', 'taskVotes.for votes.voteType votes.comment'],
  ['GET /api/votes/:taskId/my-vote', 'user', '', 'vote.voteType'],
  ['GET /api/activities/user/:userId', 'user', 'page limit', 'activities.type'],
  ['GET /api/activities', 'user', 'type page limit', 'activities.type'],
]

const BACKTEST = 'botId timeframe limit=1000 feeRate=0.0006 slippageBps=5 noSameBarReentry=true ohlcv mode="bot"'
const TRADING: readonly Call[] = [
  ['GET /health', 'public', '', 'status testnet websocket.public websocket.private'],
  ['GET* /api/ohlcv/:symbol', 'user', 'timeframe="1h" limit=100', ''],
  ['GET* /api/markets', 'user', '', 'id symbol quote active'],
  ['GET* /api/ticker/:symbol', 'user', '', 'last change percentage'],
  ['POST /api/ml/predict', 'user', 'symbol limit', 'signal confidence'],
  [
    'POST /api/ml/predict-cloud',
    'user',
    'symbol limit=300 timeframe horizon_steps=8 method="quantile" lookback=30 params',
    'points lookback method',
  ],
  ['POST /api/ml/train', 'user', 'version="v3" symbol limit timeframe from to params', ''],
  ['GET /api/ml/dataset/export', 'user', 'symbol timeframe limit', ''],
  ['POST /api/ml/dataset/save', 'user', 'symbol timeframe limit', 'id active'],
  ['POST /api/ml/indicators', 'user', 'symbol limit', 'rsi zScore ultimateOscillator ema.ema20 bollinger.middle'],
  ['GET* /api/ml/health', 'user', '', 'healthy stats.accuracy'],
  ['GET /api/ml/models', 'user', '', 'models.version current'],
  ['POST /api/ml/predict-multi', 'user', 'versions symbol timeframe limit=300', 'results.version'],
  ['GET /api/ml/datasets', 'user', '', 'id active'],
  ['GET /api/ml/datasets/active', 'user', '', 'id active'],
  ['POST /api/ml/datasets/active', 'user', 'id', 'id active'],
  ['POST /api/ml/models/:id/stage', 'manager', 'stage', 'version stage'],
  ['GET* /api/ml/predictions', 'user', 'symbol timeframe limit since before from to', 'timestamp signal'],
  ['POST /api/ml/auto-trade', 'user', 'symbol amount enableStopLoss=true', 'symbol'],
  ['POST /api/ml/backtest', 'manager', 'symbol mlModelVersion', 'jobId'],
  ['GET /api/balance', 'user', '', 'balance'],
  ['GET /api/positions', 'user', '', 'symbol'],
  ['GET /api/orders', 'user', 'symbol', 'symbol'],
  ['POST /api/order', 'user', 'symbol side type amount', 'symbol'],
  ['GET* /api/bots', 'user', '', 'id userId'],
  ['GET /api/bots/:id', 'user', '', 'id userId'],
  [
    'POST /api/bots',
    'user',
    'name description strategy="ml" tradingPairs positionSize=0.001 maxDrawdown=10 riskLevel="medium" initialBalance=10 marketType="spot" leverage=10 takeProfitPct=0 stopLossPct=0 isVirtual=true visibility="private" mlModelVersion mlModelVersions consensusConfig parameters',
    'botId',
  ],
  ['POST /api/bots/:id/start', 'user', '', 'status'],
  ['POST /api/bots/:id/stop', 'user', '', 'status'],
  ['POST /api/bots/:id/pause', 'user', '', 'status'],
  ['DELETE /api/bots/:id', 'user', '', ''],
  ['PATCH /api/bots/:id', 'user', 'mlModelVersion visibility', 'mlModelVersion visibility'],
  ['GET /api/bots/:id/balance', 'user', '', 'balance'],
  ['GET /api/bots/:id/trades', 'user', 'limit=100', 'side netPnL'],
  ['GET /api/bots/:id/last-prediction', 'user', '', 'signal confidence'],
  ['GET /api/bots/last-predictions', 'user', 'ids', 'signal confidence'],
  ['POST /api/bots/:id/poll-prediction', 'user', '', 'signal confidence'],
  ['GET /api/subaccounts', 'user', '', 'botId balance'],
  ['POST /api/backtest/run', 'manager', BACKTEST, '_id metrics.trades'],
  ['POST /api/backtest/jobs', 'manager', BACKTEST, 'jobId'],
  ['GET /api/backtest/jobs/:id', 'user', '', '_id status progress.current progress.total runId error'],
  ['GET* /api/backtest/runs', 'user', 'symbol timeframe limit', '_id symbol totalReturnPct'],
  ['GET* /api/backtest/runs/:id', 'user', '', '_id trades equityCurve'],
]

const schemaOf = (schema: AnyEndpoint['reply'] | undefined, io: 'input' | 'output'): JsonSchema =>
  schema === undefined ? {} : schema.toJSONSchema({ io, unrepresentable: 'any' })
const words = (text: string) => (text === '' ? [] : text.split(' '))

describe.each([
  ['social', SOCIAL],
  ['trading', TRADING],
] as const)('the %s service', (service: Service, calls) => {
  const found = endpointsOf(service).map(([, endpoint]) => endpoint)

  it.each(calls)('has %s, for whom and with what was promised', (call, access, sent, reply) => {
    const [method, path] = call.replace('*', '').split(' ')
    const endpoint = found.find((one) => one.method === method && one.path === path)
    expect(endpoint).toMatchObject({ access })
    if (call.includes('*')) expect(endpoint!.publicPath).toBe(path!.replace('/api/', '/public/'))

    const input = fieldsOf(schemaOf(method === 'GET' ? endpoint!.query : endpoint!.body, 'input'))
    const promised = words(sent).map((field) => field.split('=')[0]!)
    expect(Object.keys(input.fields)).toEqual(expect.arrayContaining(promised))
    // Anyone who sends what was promised, and no more, is not refused.
    expect(promised).toEqual(expect.arrayContaining(input.required))
    for (const [name, value] of words(sent).map((field) => field.split('=')))
      if (value !== undefined) expect([name, input.fields[name!]!.default]).toEqual([name, JSON.parse(value)])

    const output = schemaOf(endpoint!.reply, 'output')
    for (const field of words(reply)) expect([field, fieldAt(output, field)]).toEqual([field, 'there'])
  })
})
