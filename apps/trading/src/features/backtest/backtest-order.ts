import type { BacktestRequest } from '@shapecast/contracts/backtest'
import type { Bot, BotParameters, ConsensusConfig, MarketType, Strategy } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { CandleRow } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'

/** What trades: a bot's settings as they are when the test is asked for, or those of a model tested alone. */
export interface TestedBot {
  /** Null for a model tested alone and for a temporary bot, which is gone by the time anyone looks. */
  id: string | null
  name: string
  strategy: Strategy
  riskLevel: string
  marketType: MarketType
  positionSize: number
  leverage: number
  maxDrawdown: number
  takeProfitPct: number
  stopLossPct: number
  initialBalance: number
  /** One, or an ensemble's 2–5; empty: the current production model when the test runs. */
  versions: string[]
  consensus: ConsensusConfig | null
  parameters: BotParameters
}

/** Everything that decides a backtest, but for the candles and models themselves. Plain JSON; what a job keeps. */
export interface BacktestOrder {
  mode: 'bot' | 'model'
  bot: TestedBot
  symbol: string
  timeframe: Timeframe
  fromMs?: number | undefined
  toMs?: number | undefined
  limit: number
  feeRate: number
  slippageBps: number
  noSameBarReentry: boolean
  /** The caller's own candles in place of the stored ones. */
  rows?: CandleRow[] | undefined
}

const OPENAI_REFUSED =
  'A bot with the openai strategy cannot be backtested: the language model may know how these prices went on, and each candle would be a paid call. Test an ml bot.'

const testedBot = (bot: Bot): TestedBot => ({
  id: bot.parameters?.temporary === true ? null : bot.id,
  name: bot.name,
  strategy: bot.strategy,
  riskLevel: bot.riskLevel,
  marketType: bot.marketType,
  positionSize: bot.positionSize,
  leverage: bot.leverage,
  maxDrawdown: bot.maxDrawdown,
  takeProfitPct: bot.takeProfitPct,
  stopLossPct: bot.stopLossPct,
  initialBalance: bot.initialBalance,
  versions: bot.mlModelVersions ?? (bot.mlModelVersion === null ? [] : [bot.mlModelVersion]),
  consensus: bot.consensusConfig,
  parameters: bot.parameters ?? {},
})

const testedModel = (request: BacktestRequest, version: string): TestedBot => ({
  id: null,
  name: version,
  strategy: 'ml',
  riskLevel: 'medium',
  marketType: 'futures',
  positionSize: request.positionSize,
  leverage: request.leverage,
  maxDrawdown: request.maxDrawdown,
  takeProfitPct: 0,
  stopLossPct: 0,
  initialBalance: request.initialBalance,
  versions: [version],
  consensus: null,
  parameters: {},
})

/**
 * The order that a request stands for. `bot` is the one that the request names, where it names one.
 * Throws `unprocessable` for an openai bot, `bad_input` for a symbol that the bot does not trade.
 */
export function orderOf(request: BacktestRequest, bot: Bot | null): BacktestOrder {
  if (bot?.strategy === 'openai') throw new AppError('unprocessable', OPENAI_REFUSED)
  const symbol = request.symbol ?? bot?.tradingPairs[0]
  if (symbol === undefined) throw new AppError('bad_input', 'Name the symbol to test on.', { field: 'symbol' })
  if (bot !== null && !bot.tradingPairs.includes(symbol))
    throw new AppError('bad_input', `${bot.name} does not trade ${symbol}. It trades ${bot.tradingPairs.join(', ')}.`, {
      field: 'symbol',
    })
  return {
    mode: request.mode,
    bot: bot === null ? testedModel(request, request.mlModelVersion!) : testedBot(bot),
    symbol,
    timeframe: request.timeframe,
    fromMs: request.from,
    toMs: request.to,
    limit: request.limit,
    feeRate: request.feeRate,
    slippageBps: request.slippageBps,
    noSameBarReentry: request.noSameBarReentry,
    rows: request.ohlcv,
  }
}
