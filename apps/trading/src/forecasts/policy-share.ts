import { orElse } from '@shapecast/contracts/errors'
import type { TargetPolicy } from '@shapecast/contracts/policies'
import { measuredCandles, modelVolatility } from '@shapecast/engine/policies/measures'
import { targetAt, targetPlanOf } from '@shapecast/engine/policies/targets'
import type { CandleSource } from '../market/series-market.ts'
import type { Forecast, SeriesName } from './forecast.ts'

const QUANTILES = 5
/** Nothing is wrong where the model cannot forecast: nothing is known. */
const unknowable = orElse(null, 'model_not_trained', 'too_few_candles', 'no_candles')

export interface PolicyShareQuery extends SeriesName {
  readonly policy: TargetPolicy
  readonly riskLevel: 'low' | 'medium' | 'high'
}

/** The yearly volatility that a forecast expects over its longest horizon, ratio. */
function volatilityOf({ fan }: Forecast, { timeframe }: SeriesName): number {
  const last = fan.length - QUANTILES
  return modelVolatility(
    fan[last] ?? Number.NaN,
    fan[last + QUANTILES - 1] ?? Number.NaN,
    fan.length / QUANTILES,
    timeframe,
  )
}

/**
 * The share (0–1) that a bot of one pair would hold at the last close, by the rules that bots decide by; null where too
 * little is known. `forecast` is asked by `model_brake` alone.
 */
export async function policyShare(
  source: CandleSource,
  asked: PolicyShareQuery,
  forecast: () => Promise<Forecast>,
): Promise<{ share: number | null; at: number | null }> {
  const { symbol, timeframe, policy, riskLevel } = asked
  const candles = await source.load(symbol, timeframe, { limit: measuredCandles(timeframe, policy) + 1 })
  const last = candles.length - 1
  const plan = targetPlanOf({ policy, riskLevel, pairs: 1 })
  if (last < 0 || plan === null) return { share: null, at: null }
  const said = policy === 'model_brake' ? await forecast().catch(unknowable) : null
  const volatility = said === null ? Number.NaN : volatilityOf(said, asked)
  const share = targetAt(plan, candles, last, timeframe, volatility)
  return { share: Number.isNaN(share) ? null : share, at: candles.ts[last]! }
}
