import type { BacktestRun } from '@shapecast/contracts/backtest'
import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { InitialBalance, PositionSize } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { type CostValues, costValuesOf, USUAL_COSTS } from '#entities/bots/costs.ts'
import { digitsOfStep } from '#kit/format/money.ts'

type TestMode = 'bot' | 'model'

/** What stands in the fields. A choice or a number that is `null` is an empty field. */
export interface Parameters extends CostValues {
  /** `null` is whatever there is to test. */
  mode: TestMode | null
  botId: string | null
  version: string | null
  symbol: string | null
  /** Base asset. */
  positionSize: number | null
  /** Quote. */
  initialBalance: number | null
  leverage: number | null
  maxDrawdownPct: number | null
  /** `null` follows the market's now. */
  fromMs: number | null
  toMs: number | null
  timeframe: string
  /** Leaves out what the model has seen in training. */
  unseenOnly: boolean
  /** `default` is what the field begins with, `derived` follows the range. */
  limit: number | null | 'default' | 'derived'
  /** The run that is open, whose parameters were put in the fields. */
  runId: string | null
  /** Filled by the page or by that run, changed since by hand, or sent to be tested as they stand. */
  state: 'filled' | 'typed' | 'sent'
}

export const INITIAL_PARAMETERS: Parameters = {
  mode: null,
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
  ...USUAL_COSTS,
  runId: null,
  state: 'filled',
}

/**
 * Applies a change. A new date or timeframe makes the candle limit follow the range again. A date or a limit that was
 * typed is what is tested: leaving out the seen candles would change it, so that goes off, unless it is chosen again.
 */
export function changeParameters(before: Parameters, change: Partial<Parameters>): Parameters {
  const rangeChanged = 'fromMs' in change || 'toMs' in change || 'timeframe' in change
  const isNarrowed = [change.fromMs, change.toMs, change.limit].some((value) => typeof value === 'number')
  return {
    ...before,
    ...(rangeChanged && { limit: 'derived' as const }),
    ...(isNarrowed && { unseenOnly: false }),
    state: 'typed',
    ...change,
  }
}

/** What stands in the fields when a run is opened: what it was run with, so that it can be run again. */
export function parametersOfRun(run: BacktestRun): Parameters {
  const { params } = run
  return {
    ...INITIAL_PARAMETERS,
    // A rule without a bot is tested elsewhere.
    mode: params.mode === 'rule' ? 'bot' : params.mode,
    botId: params.mode === 'bot' ? params.botId : null,
    version: params.mlModelVersion,
    symbol: run.symbol,
    positionSize: params.positionSize,
    initialBalance: run.initialBalance,
    leverage: params.leverage,
    maxDrawdownPct: params.maxDrawdown ?? INITIAL_PARAMETERS.maxDrawdownPct,
    fromMs: run.startTime,
    toMs: run.endTime + TIMEFRAME_MS[run.timeframe],
    timeframe: run.timeframe,
    limit: 'derived',
    unseenOnly: run.seenRatio <= 0,
    ...costValuesOf(params),
    runId: run._id,
  }
}

type JudgedRun = Pick<BacktestRun, 'seenRatio'> & { meta: Pick<BacktestRun['meta'], 'haltedAt'> }

/**
 * What to run, and what to change in the fields before it, after a run that was seen in part or that the drawdown limit ended: the candles that no model has seen, with
 * a size of the balance at most. A bot keeps its own size: `worth` is null then. Null where there is nothing better to run.
 */
export function nextRun(run: JudgedRun, hasUnseen: boolean, worth: Pick<SizeWorth, 'ratio' | 'onceSize'> | null) {
  const isSeen = run.seenRatio > 0 && hasUnseen
  const isLarge = worth !== null && worth.ratio > 1 && worth.onceSize > 0
  if (!isSeen && !(isLarge && run.meta.haltedAt !== null)) return null
  const unseen = isSeen ? ' on unseen candles' : ' again'
  return {
    words: `Run${unseen}${isLarge ? ' at 1×' : ''}`,
    change: { ...(isSeen && { unseenOnly: true }), ...(isLarge && { positionSize: worth.onceSize }) },
  }
}

/**
 * What a position of the chosen size is worth against the balance that stands behind it; null while a figure or the price
 * is missing, and for what is refused anyway. A drawdown limit of 0 is none.
 */
export function sizeWorth(
  figures: Record<'positionSize' | 'initialBalance' | 'maxDrawdownPct' | 'leverage', number | null>,
  price: number | undefined,
  lotSize: number | undefined,
) {
  const { maxDrawdownPct, leverage } = figures
  const positionSize = PositionSize.safeParse(figures.positionSize).data
  const initialBalance = InitialBalance.safeParse(figures.initialBalance).data
  if (!positionSize || !initialBalance || !price) return null
  const carried = initialBalance * Math.max(1, leverage ?? 1)
  const isCut = positionSize * price > carried
  const worth = isCut ? carried : positionSize * price
  const ratio = worth / initialBalance
  const digits = Math.min(8, digitsOfStep(lotSize ?? 1e-6))
  const sizeOf = (quote: number) => Math.floor((quote / price) * 10 ** digits + 1e-9) / 10 ** digits
  return {
    /** Quote; no more than the balance carries. */
    worth,
    /** Times the balance. */
    ratio,
    /** A move against it by so many percent of the price reaches the drawdown limit, or without one takes all. */
    limitMovePct: Math.min(100, (maxDrawdownPct || 100) / ratio),
    /** The size that is worth the balance once, base; rounded down to the lot. */
    onceSize: sizeOf(initialBalance),
    /** The size that is opened where the balance carries no more than that, base; null where it carries the chosen one. */
    cutSize: isCut ? sizeOf(worth) : null,
  }
}
export type SizeWorth = NonNullable<ReturnType<typeof sizeWorth>>
