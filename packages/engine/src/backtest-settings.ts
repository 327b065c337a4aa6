import type { BotCosts } from '@shapecast/contracts/costs'
import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Bps, Pct, Ratio } from '@shapecast/contracts/units'
import type { SlippageSides } from './models/fills.ts'
import type { EngineSizing } from './models/sizing.ts'

/** Everything that decides how an account reacts to candles and decisions; plain data, so that it can be hashed. */
export interface BacktestSettings {
  readonly market: 'spot' | 'futures'
  readonly timeframe: Timeframe
  /** Quote. */
  readonly initialBalance: number
  /** Futures only; spot trades with what it has. */
  readonly leverage: number
  /** Ratio of the notional, on each fill. */
  readonly feeRate: Ratio
  readonly slippageBps: Bps
  readonly slippageSides: SlippageSides
  readonly sizing: EngineSizing
  /** Smallest step of a quantity, base; 0 where any quantity can be traded. */
  readonly lotSize: number
  /** Smallest notional of an entry, quote; 0 for none. */
  readonly minNotional: number
  /** Percent of the entry price; 0 is off. */
  readonly takeProfitPct: Pct
  readonly stopLossPct: Pct
  /** Percent of the best price since the entry, up to the candle before; left out: none. */
  readonly trailingStopPct?: Pct
  /** Candles after which a position is closed at an open; left out: never. */
  readonly timeExitCandles?: number
  /** Percent of the peak of the equity at which trading ends. */
  readonly maxDrawdownPct: Pct
  readonly noSameBarReentry: boolean
  /** Share of the notional below which a futures position is liquidated. */
  readonly maintenanceMarginRatio: Ratio
  /**
   * Spot only: decisions are shares of the equity (0–1) to hold, traded where they lie this share or more away from what
   * is held; sizing is then not asked. Left out: decisions are codes of DECISION.
   */
  readonly targetBand?: Ratio
  /** With a target band: rebalances rest as post-only orders. `tickSize` is 0 where it is not known. */
  readonly postOnly?: { readonly makerFeeRate: Ratio; readonly tickSize: number }
}

type Needed = 'market' | 'timeframe' | 'initialBalance' | 'leverage' | 'sizing'

/** Costs of a market whose prices move by `tickSize`, 0 where that is not known. */
export const costSettings = (
  { feeRate, slippageBps, postOnly }: BotCosts,
  tickSize = 0,
): Pick<BacktestSettings, 'feeRate' | 'slippageBps' | 'postOnly'> => ({
  feeRate,
  slippageBps,
  ...(postOnly === undefined ? {} : { postOnly: { ...postOnly, tickSize } }),
})

/**
 * Complete settings from the ones that a run must name; the rest is the usual (no stops, no drawdown limit below 100 %,
 * slippage on both sides, maintenance margin 0.5 %). Throws `bad_input` where a number makes no sense.
 */
export function backtestSettings(
  given: Pick<BacktestSettings, Needed> & Partial<Omit<BacktestSettings, Needed>>,
): BacktestSettings {
  const settings: BacktestSettings = {
    feeRate: 0,
    slippageBps: 0,
    slippageSides: 'both_sides',
    lotSize: 0,
    minNotional: 0,
    takeProfitPct: 0,
    stopLossPct: 0,
    maxDrawdownPct: 100,
    noSameBarReentry: true,
    maintenanceMarginRatio: 0.005,
    ...given,
  }
  const demand = (field: keyof BacktestSettings, holds: boolean, what: string): void => {
    if (!holds) throw new AppError('bad_input', `${field} ${what}; got ${String(settings[field])}.`, { field })
  }
  demand('initialBalance', settings.initialBalance > 0, 'is a positive amount of quote')
  demand('leverage', settings.leverage >= 1, 'is at least 1')
  demand('feeRate', settings.feeRate >= 0 && settings.feeRate < 1, 'is a ratio from 0 to 1')
  demand('slippageBps', settings.slippageBps >= 0 && settings.slippageBps < 10_000, 'is from 0 to 10000')
  demand('lotSize', settings.lotSize >= 0, 'is 0 or positive')
  demand('minNotional', settings.minNotional >= 0, 'is 0 or positive')
  demand('takeProfitPct', settings.takeProfitPct >= 0, 'is 0 or positive')
  demand('stopLossPct', settings.stopLossPct >= 0 && settings.stopLossPct <= 100, 'is from 0 to 100')
  const { trailingStopPct: trail = 0, timeExitCandles: held = 1 } = settings
  demand('trailingStopPct', trail >= 0 && trail < 100, 'is from 0 to below 100')
  demand('timeExitCandles', Number.isInteger(held) && held >= 1, 'is a whole number, at least 1')
  demand('maxDrawdownPct', settings.maxDrawdownPct > 0 && settings.maxDrawdownPct <= 100, 'is above 0, up to 100')
  demand(
    'maintenanceMarginRatio',
    settings.maintenanceMarginRatio >= 0 && settings.maintenanceMarginRatio * settings.leverage < 1,
    'is below 1 / leverage',
  )
  demand(
    'targetBand',
    settings.targetBand === undefined || (settings.targetBand >= 0 && settings.market === 'spot'),
    'is 0 or positive, on spot',
  )
  const { postOnly } = settings
  demand(
    'postOnly',
    postOnly === undefined || (settings.targetBand !== undefined && postOnly.makerFeeRate <= settings.feeRate),
    'is for targets, with a maker fee of at most the fee rate',
  )
  return settings
}
