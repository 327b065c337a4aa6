import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest'

export type TestMode = 'bot' | 'model'

/** The first and the last moment of a range, ms; `toMs` itself is no longer part of it. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

/** What stands in the fields, as typed. `null` follows what it is derived from. */
export interface Parameters {
  readonly mode: TestMode
  readonly botId: string | null
  readonly version: string | null
  readonly symbol: string | null
  /** Base asset. */
  readonly positionSize: string
  /** Quote. */
  readonly initialBalance: string
  readonly leverage: string
  readonly maxDrawdownPct: string
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly timeframe: string
  readonly limit: string | null
  readonly feePct: string
  readonly slippageBps: string
}

export const INITIAL_PARAMETERS: Parameters = {
  mode: 'bot',
  botId: null,
  version: null,
  symbol: null,
  positionSize: String(BACKTEST_DEFAULTS.positionSize),
  initialBalance: String(BACKTEST_DEFAULTS.initialBalance),
  leverage: String(BACKTEST_DEFAULTS.leverage),
  maxDrawdownPct: String(BACKTEST_DEFAULTS.maxDrawdown),
  fromMs: null,
  toMs: null,
  timeframe: BACKTEST_DEFAULTS.timeframe,
  limit: null,
  feePct: String(Number((BACKTEST_DEFAULTS.feeRate * 100).toFixed(6))),
  slippageBps: String(BACKTEST_DEFAULTS.slippageBps),
}

/** Applies a change. A new date or timeframe makes the candle limit follow the range again. */
export function changeParameters(before: Parameters, change: Partial<Parameters>): Parameters {
  const rangeChanged = 'fromMs' in change || 'toMs' in change || 'timeframe' in change
  return { ...before, ...(rangeChanged ? { limit: null } : {}), ...change }
}

/** A number as people type it, `0,5` too; null where it is none. */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  if (plain === '') return null
  const value = Number(plain)
  return Number.isFinite(value) ? value : null
}
