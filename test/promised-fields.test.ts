import { AuthReply, User } from '@shapecast/contracts/auth'
import { BacktestJob, BacktestRun } from '@shapecast/contracts/backtest'
import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import { Trade } from '@shapecast/contracts/backtest-results'
import { Bot } from '@shapecast/contracts/bots'
import { Dataset } from '@shapecast/contracts/datasets'
import { Indicators } from '@shapecast/contracts/indicators'
import { Health, Market, Ticker } from '@shapecast/contracts/market'
import { Model, mlHealth, models } from '@shapecast/contracts/ml'
import { BotPrediction, botLastPredictions, Prediction, predictMulti } from '@shapecast/contracts/predictions'
import { Task, tasks } from '@shapecast/contracts/tasks'
import { castVote, myVote } from '@shapecast/contracts/votes'
import { expect, it } from 'vitest'
import { fieldAt, type JsonSchema, schemaAt } from './json-schema.ts'

interface Schema {
  toJSONSchema(settings: { io: 'output'; unrepresentable: 'any' }): unknown
}
const output = (schema: Schema) => schema.toJSONSchema({ io: 'output', unrepresentable: 'any' }) as JsonSchema

/** Fields that everything of a kind has, anyone who asks. */
const FIELDS: readonly [name: string, schema: Schema, fields: string][] = [
  ['a user', User, 'username email role'],
  ['an answer to signing in', AuthReply, 'accessToken user.username user.email user.role'],
  [
    'a prediction',
    Prediction,
    'timestamp aligned_ts signal confidence current_price lstm_prediction transformer_prediction stopLoss reasoning',
  ],
  [
    'a bot',
    Bot,
    'id userId name description strategy status visibility isVirtual tradingPairs positionSize maxDrawdown riskLevel marketType leverage takeProfitPct stopLossPct initialBalance currentBalance totalPnL totalTrades winningTrades lastTradeAt mlModelVersion mlModelVersions consensusConfig.strategy consensusConfig.minAgreement consensusConfig.onDisagreement consensusConfig.minConfidence parameters',
  ],
  ['a model', Model, 'version stage stats.accuracy stats.last_update'],
  ['the list of models', models.reply, 'models.version current'],
  ['a dataset', Dataset, 'id active'],
  ['a market', Market, 'id symbol quote active'],
  ['the health of the system', Health, 'status testnet websocket.public websocket.private'],
  ['the health of the models', mlHealth.reply, 'healthy stats.accuracy'],
  ['a ticker', Ticker, 'last change percentage'],
  [
    'indicators',
    Indicators,
    'rsi zScore ultimateOscillator ema.ema20 bollinger.upper bollinger.middle bollinger.lower',
  ],
  ['a task', Task, '_id title description status createdAt votesFor priority'],
  ['a vote that was cast', castVote.reply, 'taskVotes.for vote.voteType vote.comment'],
  ['an own vote', myVote.reply, 'vote.voteType'],
  ['predictions of several versions', predictMulti.reply, 'results.version results.prediction results.error'],
  ['a prediction of a bot', BotPrediction, 'botId signal confidence'],
  ['a backtest job', BacktestJob, '_id status progress.current progress.total runId error'],
  [
    'a backtest run',
    BacktestRun,
    '_id symbol timeframe startTime endTime candles initialBalance finalBalance totalReturnPct params.botName params.strategy params.riskLevel params.positionSize params.mlModelVersion params.timeframe params.createdAt metrics.trades metrics.winRate metrics.profitFactor metrics.maxDrawdownPct metrics.sharpeLike metrics.avgTradePnL meta.signals.buy meta.signals.sell meta.signals.hold meta.avgConfidence meta.entries meta.closes openPosition.side openPosition.entryPrice openPosition.quantity openPosition.unrealizedPnL trades.side equityCurve.t equityCurve.equity mlPredictions.timestamp mlPredictions.aligned_ts mlPredictions.lstm_prediction',
  ],
  ['a trade', Trade, 'side entryTime exitTime entryPrice exitPrice quantity netPnL fees'],
]

it.each(FIELDS)('%s has every field that was promised', (_, schema, fields) => {
  for (const field of fields.split(' ')) expect([field, fieldAt(output(schema), field)]).toEqual([field, 'there'])
})

it.each([
  ['role', output(User), 'role', 'admin bot_manager user'],
  ['signal', output(Prediction), 'signal', 'BUY SELL HOLD'],
  ['strategy', output(Bot), 'strategy', 'ml openai'],
  ['visibility', output(Bot), 'visibility', 'public private'],
  ['risk level', output(Bot), 'riskLevel', 'low medium high'],
  ['market type', output(Bot), 'marketType', 'spot futures'],
  ['stage', output(Model), 'stage', 'production staging archived'],
  ['status of a task', output(Task), 'status', 'proposed in_voting approved in_progress completed rejected cancelled'],
  ['status of a bot', output(Bot), 'status', 'active'],
  ['status of a backtest', output(BacktestJob), 'status', 'queued completed failed'],
  ['side of a trade', output(Trade), 'side', 'long short'],
])('a %s may be every word that was promised', (_, schema, field, values) => {
  expect(schemaAt(schema, field)?.enum).toEqual(expect.arrayContaining(values.split(' ')))
})

it('the newest predictions of bots are a map by bot', () => {
  const reply = output(botLastPredictions.reply)
  expect([reply.type, fieldAt(reply, 'botId')]).toEqual(['object', 'there'])
})

it('candles that a backtest brings along are rows, or named', () => {
  const named = { timestamp: 3_600_000, open: 10, high: 12, low: 9, close: 11, volume: 5 }
  const row = [3_600_000, 10, 12, 9, 11, 5]
  const { ohlcv } = BacktestRequest.parse({ botId: '01890000-0000-7000-8000-0000000000b1', ohlcv: [named, row] })
  expect(ohlcv).toEqual([row, row])
})

it('one tag of a task may be asked for, or several', () => {
  expect(tasks.query.parse({ tags: ['costs', 'books'] }).tags).toEqual(['costs', 'books'])
  expect(tasks.query.parse({ tags: 'costs' }).tags).toEqual(['costs'])
})
