import { BACKTEST_DEFAULTS, BOT_NOT_FOUND, NO_BOT_SELECTED, NO_MODEL_SELECTED } from '@shapecast/contracts/backtest'
import type { Bot } from '@shapecast/contracts/bots'
import type { Model } from '@shapecast/contracts/ml'
import { candleCount, TIMEFRAME_MS, TIMEFRAMES, Timeframe } from '@shapecast/contracts/timeframes'
import { type TimeRange, utcDayStart } from '#entities/markets/market-range.ts'
import { formatDate } from '#kit/format/time.ts'
import { MAX_CANDLES, MOST_BALANCE, MOST_SIZE, type Parameters } from './parameters.ts'
import { isTrainedOn } from './unseen-range.ts'

export type ParameterField =
  | 'bot'
  | 'model'
  | 'symbol'
  | 'positionSize'
  | 'initialBalance'
  | 'leverage'
  | 'maxDrawdownPct'
  | 'range'
  | 'timeframe'
  | 'limit'
  | 'feePct'
  | 'slippageBps'

export type FieldErrors = Partial<Record<ParameterField, string>>

interface Costs {
  readonly feeRate: number
  readonly slippageBps: number
}
interface Stretch {
  readonly timeframe: Timeframe
  readonly range: TimeRange
  /** Candles to test. */
  readonly limit: number
  /** Whether the range decides what is tested; else its newest `limit` candles do. */
  readonly wholeRange: boolean
}

/** Parameters that can be run. */
export type BacktestPlan = Costs &
  Stretch &
  (
    | { readonly mode: 'bot'; readonly bot: Bot; readonly symbol: string }
    | {
        readonly mode: 'model'
        readonly version: string
        readonly symbol: string
        readonly positionSize: number
        readonly initialBalance: number
        readonly leverage: number
        readonly maxDrawdownPct: number
      }
  )

export type Checked =
  | { readonly plan: BacktestPlan; readonly errors: Record<string, never> }
  | { readonly plan: null; readonly errors: FieldErrors }

/** Candles that a range holds, without the limit of 5,000 that is offered; 0 for a range without length. */
export const candlesInRange = (range: TimeRange, timeframe: Timeframe): number =>
  Math.max(0, Math.ceil((range.toMs - range.fromMs) / TIMEFRAME_MS[timeframe]))

/** What stands in the field of a limit that nobody typed. */
export const limitOf = <T>(limit: 'default' | 'derived', derived: T): T | number =>
  limit === 'derived' ? derived : BACKTEST_DEFAULTS.limit

/** The candle limit that belongs to a range. */
export const derivedLimit = (range: TimeRange, timeframe: string): number | null => {
  const known = Timeframe.safeParse(timeframe)
  return known.success ? candleCount(range.fromMs, range.toMs, known.data) : null
}

/** Turns what stands in the fields into a plan, or says what is wrong, field by field. */
export function checkParameters(
  parameters: Parameters,
  range: TimeRange,
  bots: readonly Bot[] | undefined,
  models?: readonly Model[],
  /** The market's clock. */
  nowMs = Number.POSITIVE_INFINITY,
): Checked {
  const errors: FieldErrors = {}
  const number = (
    field: ParameterField,
    value: number | null,
    allowed: { name: string; min: number; notZero?: string; max: number; whole?: boolean },
  ): number => {
    const must = `${allowed.name} must be`
    if (value === null || Number.isNaN(value)) errors[field] = `${must} a number.`
    else if (value === 0 && allowed.notZero !== undefined) errors[field] = `${must} above 0: ${allowed.notZero}.`
    else if (value < allowed.min) errors[field] = `${must} at least ${allowed.min}.`
    else if (value > allowed.max) errors[field] = `${must} at most ${allowed.max.toLocaleString('en-US')}.`
    else if (allowed.whole && !Number.isInteger(value)) errors[field] = `${must} a whole number.`
    return value ?? Number.NaN
  }

  const timeframe = Timeframe.safeParse(parameters.timeframe.trim())
  if (!timeframe.success) errors.timeframe = `Use one of ${TIMEFRAMES.join(', ')}.`
  if (range.fromMs >= range.toMs) errors.range = 'To must be later than From.'
  else if (utcDayStart(range.toMs - 1) > nowMs) errors.range = `The market has come to ${formatDate(nowMs)}.`
  const derived = timeframe.success ? candleCount(range.fromMs, range.toMs, timeframe.data) : 1
  const limit =
    typeof parameters.limit === 'string'
      ? limitOf(parameters.limit, derived)
      : number('limit', parameters.limit, { name: 'Candles limit', min: 1, max: MAX_CANDLES, whole: true })
  const feePct = number('feePct', parameters.feePct, { name: 'Fee', min: 0, max: 10 })
  const slippageBps = number('slippageBps', parameters.slippageBps, { name: 'Slippage', min: 0, max: 1000 })
  const base = () => {
    if (!timeframe.success) return null
    const wholeRange = limit >= candlesInRange(range, timeframe.data)
    return { timeframe: timeframe.data, range, limit, wholeRange, feeRate: feePct / 100, slippageBps }
  }

  if (parameters.mode === 'bot') {
    const bot = bots?.find((candidate) => candidate.id === parameters.botId)
    if (parameters.botId === null) errors.bot = NO_BOT_SELECTED
    else if (bot === undefined) errors.bot = BOT_NOT_FOUND
    const symbol = bot?.tradingPairs[0]
    const common = base()
    if (bot === undefined || symbol === undefined || common === null || Object.keys(errors).length > 0)
      return { plan: null, errors }
    return { plan: { ...common, mode: 'bot', bot, symbol }, errors: {} }
  }

  if (parameters.version === null) errors.model = NO_MODEL_SELECTED
  if (parameters.symbol === null) errors.symbol = 'Please select a symbol.'
  const model = models?.find((candidate) => candidate.version === parameters.version)
  if (model !== undefined && parameters.symbol !== null && timeframe.success)
    if (!isTrainedOn(model, parameters.symbol, timeframe.data))
      errors.symbol = `${model.version} is not trained on ${parameters.symbol} ${timeframe.data}. Train it on that series first, or choose one that is.`
  const size = { name: 'Position Size', min: 0, notZero: 'a position of nothing trades nothing', max: MOST_SIZE }
  const positionSize = number('positionSize', parameters.positionSize, size)
  const balance = { name: 'Initial Balance', min: 0, notZero: 'nothing can be bought with nothing', max: MOST_BALANCE }
  const initialBalance = number('initialBalance', parameters.initialBalance, balance)
  const leverage = number('leverage', parameters.leverage, { name: 'Leverage', min: 1, max: 100, whole: true })
  const drawdown = { name: 'Max Drawdown', min: 0, max: 100 }
  const maxDrawdownPct = number('maxDrawdownPct', parameters.maxDrawdownPct, drawdown)
  const common = base()
  const { version, symbol } = parameters
  if (version === null || symbol === null || common === null || Object.keys(errors).length > 0)
    return { plan: null, errors }
  const account = { positionSize, initialBalance, leverage, maxDrawdownPct }
  return { plan: { ...common, mode: 'model', version, symbol, ...account }, errors: {} }
}

const ORDER: readonly ParameterField[] = ['bot', 'model', 'symbol', 'timeframe', 'range', 'limit']

/** The error to say first. */
export function firstError(errors: FieldErrors): string | null {
  for (const field of ORDER) if (errors[field] !== undefined) return errors[field]
  return Object.values(errors)[0] ?? null
}
