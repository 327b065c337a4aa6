import { candlesPerYear, TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { Pct, Ratio } from '@shapecast/contracts/units'
import type { Account } from './account.ts'
import type { BacktestSettings } from './backtest-settings.ts'
import type { DetailCandles } from './detail.ts'
import type { Journal } from './journal.ts'
import { type FeeModel, proportionalFee } from './models/fees.ts'
import { type FillModel, slippageFills } from './models/fills.ts'
import type { FundingSeries } from './models/funding.ts'
import { isolatedMargin, type LiquidationModel, noLiquidation } from './models/liquidation.ts'
import { type PostOnlyRules, postOnlyRules } from './models/resting-order.ts'

/** What a step needs to know in addition to the account: the settings as models and ratios, made once. */
export interface Rules
  extends Pick<
    BacktestSettings,
    'leverage' | 'lotSize' | 'minNotional' | 'takeProfitPct' | 'stopLossPct' | 'noSameBarReentry' | 'sizing'
  > {
  readonly timeframeMs: number
  readonly candlesPerYear: number
  readonly canShort: boolean
  /** Percent of the best price since the entry; 0 is off. */
  readonly trailingStopPct: Pct
  /** A position held for so long is closed at the open; infinite: never. */
  readonly timeExitMs: number
  /** Trading halts when the equity closes at or below this share of its peak. */
  readonly haltRatio: Ratio
  /** Decisions are shares of the equity, traded where they lie a band away from what is held; null: codes of DECISION. */
  readonly targets: { readonly band: Ratio } | null
  /** What targets ask for rests as post-only orders; null: it is taken at the open. */
  readonly postOnly: PostOnlyRules | null
  readonly tracksVolatility: boolean
  /** Whether the account follows volatility, a price or the close itself at each close. */
  readonly tracksCandles: boolean
  readonly fees: FeeModel
  readonly fills: FillModel
  readonly liquidation: LiquidationModel
  readonly funding: FundingSeries | null
  /** Looked at where a candle reaches both stop and target; null: the stop is assumed. */
  readonly detail: DetailCandles | null
}

/** An account, the rules that it trades by, and where it writes what happens. */
export interface Trader {
  readonly account: Account
  readonly rules: Rules
  readonly journal: Journal
}

/** The rules of the settings. `funding` is for futures where the venue's rates are known; null otherwise. */
export function createRules(
  settings: BacktestSettings,
  funding: FundingSeries | null = null,
  detail: DetailCandles | null = null,
): Rules {
  const futures = settings.market === 'futures'
  const { lotSize, minNotional, takeProfitPct, stopLossPct, trailingStopPct = 0, noSameBarReentry, sizing } = settings
  return {
    timeframeMs: TIMEFRAME_MS[settings.timeframe],
    candlesPerYear: candlesPerYear(settings.timeframe),
    canShort: futures,
    leverage: futures ? settings.leverage : 1,
    lotSize,
    minNotional,
    takeProfitPct,
    stopLossPct,
    trailingStopPct,
    noSameBarReentry,
    sizing,
    timeExitMs: (settings.timeExitCandles ?? Number.POSITIVE_INFINITY) * TIMEFRAME_MS[settings.timeframe],
    haltRatio: (100 - settings.maxDrawdownPct) / 100,
    targets: settings.targetBand === undefined ? null : { band: settings.targetBand },
    postOnly:
      settings.postOnly === undefined
        ? null
        : postOnlyRules(settings.postOnly.makerFeeRate, settings.postOnly.tickSize),
    tracksVolatility: sizing.kind === 'volatility_target',
    tracksCandles: sizing.kind === 'volatility_target' || trailingStopPct > 0 || settings.postOnly !== undefined,
    fees: proportionalFee(settings.feeRate),
    fills: slippageFills(settings.slippageBps, settings.slippageSides),
    liquidation: futures ? isolatedMargin(settings.maintenanceMarginRatio) : noLiquidation,
    funding: futures ? funding : null,
    detail,
  }
}
