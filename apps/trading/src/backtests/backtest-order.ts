import { RunTrading } from '@shapecast/contracts/backtest'
import { BACKTEST_DEFAULTS, type BacktestRequest } from '@shapecast/contracts/backtest-request'
import { type BotRecord, originWords } from '@shapecast/contracts/bots'
import { postOnlyObstacle } from '@shapecast/contracts/costs'
import { AppError } from '@shapecast/contracts/errors'
import type { CandleRow } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type Plan, type PlannedBot, planOf, testedBot } from '@shapecast/engine/policies/plan'

/** What trades, as a run shows it: a bot as it is when the test is asked for, or a model tested alone. */
interface TestedSubject extends Pick<BotRecord, 'name' | 'strategy' | 'riskLevel' | 'positionSize'> {
  /** Null for a model tested alone and for a temporary bot, which is gone by the time anyone looks. */
  id: string | null
  parameters?: RunTrading
}

/** Everything that decides a backtest, but for the candles and models themselves. Plain JSON; what a job keeps. */
export interface BacktestOrder
  extends Pick<BacktestRequest, 'mode' | 'limit' | 'feeRate' | 'slippageBps' | 'postOnly' | 'noSameBarReentry'> {
  bot: TestedSubject
  plan: Plan
  symbol: string
  /** Several pairs on one balance, `symbol` the first; left out for one. */
  symbols?: string[] | undefined
  timeframe: Timeframe
  fromMs?: number | undefined
  toMs?: number | undefined
  /** The caller's own candles in place of the stored ones. */
  rows?: CandleRow[] | undefined
}

const subjectOf = ({ id, name, strategy, riskLevel, positionSize, parameters }: BotRecord): TestedSubject => ({
  id: parameters?.temporary === true ? null : id,
  name,
  strategy,
  riskLevel,
  positionSize,
  ...(parameters === null ? {} : { parameters: RunTrading.parse(parameters) }),
})

/** What trades without a bot, by the fields of the request. */
const aloneBy = (request: BacktestRequest, given: Partial<PlannedBot>): Plan => {
  const { symbol, positionSize, leverage, maxDrawdown, initialBalance } = request
  return planOf(testedBot(symbol!, { positionSize, leverage, maxDrawdown, initialBalance, ...given }))
}

/** A model alone trades futures. */
const modelAlone = (request: BacktestRequest, version: string) => ({
  bot: { id: null, name: version, strategy: 'ml', riskLevel: 'medium', positionSize: request.positionSize } as const,
  plan: aloneBy(request, { marketType: 'futures', mlModelVersion: version }),
})

const testedBy = (request: BacktestRequest, bot: BotRecord | null): Pick<BacktestOrder, 'bot' | 'plan'> => {
  if (request.mode === 'rule') return ruleAlone(request)
  return bot === null ? modelAlone(request, request.mlModelVersion!) : { bot: subjectOf(bot), plan: planOf(bot) }
}

/** A rule without a bot. */
function ruleAlone(request: BacktestRequest): Pick<BacktestOrder, 'bot' | 'plan'> {
  const { positionSize, marketType = 'spot', mlModelVersion = null, ruleOrigin } = request
  const sizing = request.sizing ?? { kind: 'percent_of_equity', pct: 100 }
  const parameters = { policy: 'rule', rule: request.rule!, ruleOrigin, sizing } as const
  const name = ruleOrigin === undefined ? 'Rule' : originWords(ruleOrigin)
  const bot = { id: null, name, strategy: 'ml', riskLevel: 'medium', positionSize, parameters } as const
  const plan = withField('rule', () => aloneBy(request, { marketType, mlModelVersion, parameters }))
  return { bot, plan }
}

/** Names a field of this request in what is wrong. */
function withField<T>(field: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, error.message, { field, data: error.data })
  }
}

/**
 * The order that a request stands for. `bot` is the one that the request names, where it names one.
 * Throws `bad_input` for a symbol that the bot does not trade, and for a rule that cannot be read.
 */
export function orderOf(request: BacktestRequest, bot: BotRecord | null): BacktestOrder {
  const symbol = request.symbol ?? bot?.tradingPairs[0]
  if (symbol === undefined) throw new AppError('bad_input', 'Name the symbol to test on.', { field: 'symbol' })
  if (bot !== null && !bot.tradingPairs.includes(symbol))
    throw new AppError('bad_input', `${bot.name} does not trade ${symbol}. It trades ${bot.tradingPairs.join(', ')}.`, {
      field: 'symbol',
    })
  const timeframe = request.timeframe ?? bot?.parameters?.timeframe ?? BACKTEST_DEFAULTS.timeframe
  const obstacle =
    bot === null || request.postOnly === undefined
      ? null
      : postOnlyObstacle({ ...bot, policy: bot.parameters?.policy ?? 'signal', timeframe })
  if (obstacle !== null) throw new AppError('bad_input', obstacle, { field: 'postOnly' })
  const own = request.ohlcv !== undefined && request.ohlcv.length > 0
  const several = bot !== null && request.symbol === undefined && !own && bot.tradingPairs.length > 1
  const tested = testedBy(request, bot)
  if (tested.plan.targets?.mostTraded && !several)
    throw new AppError(
      'bad_input',
      `${bot!.name} holds the most traded of its pairs: leave out the symbol, and candles of your own, to test all of them together.`,
      { field: 'symbol' },
    )
  const { mode, from: fromMs, to: toMs, limit, feeRate, slippageBps, postOnly, noSameBarReentry, ohlcv: rows } = request
  const asked = { mode, fromMs, toMs, limit, feeRate, slippageBps, postOnly, noSameBarReentry, rows }
  return { ...asked, ...tested, symbol, ...(several ? { symbols: bot.tradingPairs } : {}), timeframe }
}
