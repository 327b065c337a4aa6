import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest'

/** Most candles of one backtest. */
export const MAX_CANDLES = 1_000_000

/** Base. */
export const MOST_SIZE = 1e9
/** Quote. */
export const MOST_BALANCE = 1e12

export type TestMode = 'bot' | 'model'

/** What stands in the fields. A choice or a number that is `null` is an empty field. */
export interface Parameters {
  readonly mode: TestMode
  readonly botId: string | null
  readonly version: string | null
  readonly symbol: string | null
  /** Base asset. */
  readonly positionSize: number | null
  /** Quote. */
  readonly initialBalance: number | null
  readonly leverage: number | null
  readonly maxDrawdownPct: number | null
  /** `null` follows the market's now. */
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly timeframe: string
  /** Leaves out what the model has seen in training. */
  readonly unseenOnly: boolean
  /** `default` is what the field begins with, `derived` follows the range. */
  readonly limit: number | null | 'default' | 'derived'
  readonly feePct: number | null
  readonly slippageBps: number | null
}

export const INITIAL_PARAMETERS: Parameters = {
  mode: 'bot',
  botId: null,
  version: null,
  symbol: null,
  positionSize: BACKTEST_DEFAULTS.positionSize,
  initialBalance: BACKTEST_DEFAULTS.initialBalance,
  leverage: BACKTEST_DEFAULTS.leverage,
  maxDrawdownPct: BACKTEST_DEFAULTS.maxDrawdown,
  fromMs: null,
  toMs: null,
  timeframe: BACKTEST_DEFAULTS.timeframe,
  unseenOnly: true,
  limit: 'default',
  feePct: Number((BACKTEST_DEFAULTS.feeRate * 100).toFixed(6)),
  slippageBps: BACKTEST_DEFAULTS.slippageBps,
}

/**
 * Applies a change. A new date or timeframe makes the candle limit follow the range again. A date or a limit that was
 * typed is what is tested: leaving out the seen candles would change it, so that goes off, unless it is chosen again.
 */
export function changeParameters(before: Parameters, change: Partial<Parameters>): Parameters {
  const rangeChanged = 'fromMs' in change || 'toMs' in change || 'timeframe' in change
  const isTyped = [change.fromMs, change.toMs, change.limit].some((value) => typeof value === 'number')
  return {
    ...before,
    ...(rangeChanged && { limit: 'derived' as const }),
    ...(isTyped && { unseenOnly: false }),
    ...change,
  }
}
