import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { formatMoneyUnit, formatQuantity, formatQuantityAsset } from '../../shared/format/money.ts'
import { formatLimitPct } from '../../shared/format/percent.ts'

export const STRATEGY_LABEL = { ml: 'ML', openai: 'OpenAI' } as const
export const MARKET_TYPE_LABEL = { spot: 'Spot', futures: 'Futures' } as const
export const RISK_LABEL = { low: 'Low', medium: 'Medium', high: 'High' } as const
/** Pairs named on a card before the rest is counted. */
const PAIRS_NAMED = 3

type Models = Pick<Bot, 'strategy' | 'mlModelVersion' | 'mlModelVersions'>

/** `ML · v3.2`, `ML · 3 models`, `ML · current model`, `OpenAI`. */
export function strategyWords({ strategy, mlModelVersion, mlModelVersions }: Models): string {
  if (strategy !== 'ml') return STRATEGY_LABEL[strategy]
  if (mlModelVersions !== null && mlModelVersions.length > 0) return `ML · ${mlModelVersions.length} models`
  return `ML · ${mlModelVersion ?? 'current model'}`
}

/** The first three pairs, and how many more there are. */
export const shownPairs = (pairs: readonly string[]): { named: readonly string[]; more: number } => ({
  named: pairs.slice(0, PAIRS_NAMED),
  more: Math.max(0, pairs.length - PAIRS_NAMED),
})

/** What one trade is worth, as its owner chose it: a policy sizes by the risk level, whatever the position size says. */
export function sizeWords(
  bot: Pick<Bot, 'positionSize' | 'tradingPairs' | 'parameters'>,
  marketOf: (symbol: string) => Market | undefined,
): string {
  const { policy = 'signal', sizing } = bot.parameters ?? {}
  if (policy !== 'signal') return policy === 'fixed_share' ? 'Half the balance' : 'By risk level'
  if (sizing?.kind === 'quote_amount') return formatMoneyUnit(sizing.quote, 'USDT')
  if (sizing?.kind === 'percent_of_equity') return `${formatLimitPct(sizing.pct)} of balance`
  if (sizing?.kind === 'volatility_target') return `${formatLimitPct(sizing.annualPct)} a year`
  const market = bot.tradingPairs.length === 1 ? marketOf(bot.tradingPairs[0]!) : undefined
  return market === undefined ? formatQuantity(bot.positionSize) : formatQuantityAsset(bot.positionSize, market.base)
}

/** Chips of a futures bot; a stop or target of 0 is off and not named. */
export function futuresFacts(bot: Pick<Bot, 'marketType' | 'leverage' | 'takeProfitPct' | 'stopLossPct'>): string[] {
  if (bot.marketType !== 'futures') return []
  return [
    `${bot.leverage}×`,
    ...(bot.takeProfitPct > 0 ? [`TP ${bot.takeProfitPct}%`] : []),
    ...(bot.stopLossPct > 0 ? [`SL ${bot.stopLossPct}%`] : []),
  ]
}
