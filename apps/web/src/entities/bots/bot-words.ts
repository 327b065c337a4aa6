import { type Bot, originWords, STRATEGY_LABEL } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { holdsShare, POLICIES, type Policy } from '@shapecast/contracts/policies'
import { formatMoneyUnit, formatQuantity, formatQuantityAsset } from '#kit/format/money.ts'
import { UNKNOWN } from '#kit/format/number.ts'
import { formatLimitPct, formatShareRatioShort } from '#kit/format/percent.ts'

/** The coin of a pair: `BTC`. */
export const coinOf = (symbol: string): string => symbol.replace(/USDT$/, '')

export const MARKET_TYPE_LABEL = { spot: 'Spot', futures: 'Futures' } as const
export const RISK_LABEL = { low: 'Low', medium: 'Medium', high: 'High' } as const

type Models = Pick<Bot, 'strategy' | 'mlModelVersion' | 'mlModelVersions'> & Partial<Pick<Bot, 'parameters'>>

/** Whether a bot trades by what models say: a policy that holds a share of its own asks none. */
export const asksModels = ({ strategy, parameters }: Pick<Models, 'strategy' | 'parameters'>): boolean =>
  strategy === 'ml' && ['signal', 'model_brake'].includes(parameters?.policy ?? 'signal')

/** The model versions that a bot asks: none, one, or those of an ensemble. */
export function versionsOf(bot: Models): readonly string[] {
  const { mlModelVersion, mlModelVersions } = bot
  if (!asksModels(bot)) return []
  if (mlModelVersions !== null && mlModelVersions.length > 0) return mlModelVersions
  return mlModelVersion === null ? [] : [mlModelVersion]
}

/** `v3.2`, `3 models`, `current model`. */
export function modelWords(bot: Models): string {
  const versions = versionsOf(bot)
  return versions.length > 1 ? `${versions.length} models` : (versions[0] ?? 'current model')
}

/** `Steady risk`, or of a stored rule `Cross, version 3`. */
export const policyWords = ({ parameters }: Pick<Models, 'parameters'>): string => {
  const { policy = 'signal', ruleOrigin } = parameters ?? {}
  return policy === 'rule' && ruleOrigin !== undefined ? originWords(ruleOrigin) : POLICIES[policy].name
}

/** `ML · v3.2`, `ML · 3 models`, `ML · current model`, `ML · Steady risk` of a policy that asks no model, `OpenAI`. */
export const strategyWords = (bot: Models): string => {
  if (bot.strategy !== 'ml') return STRATEGY_LABEL[bot.strategy]
  const by = asksModels(bot) ? modelWords(bot) : policyWords(bot)
  return `${STRATEGY_LABEL.ml} · ${by}`
}

/** `holds 87% BTC, 10% ETH`, `short 40% ETH`, `holds nothing`: each position as a share of the equity. */
export function holdsWords(
  { positions, currentBalance }: Pick<Bot, 'positions' | 'currentBalance'>,
  marketOf: (symbol: string) => Market | undefined,
): string {
  const words = positions.map(({ symbol, side, worth }, i) => {
    const share = currentBalance > 0 ? formatShareRatioShort(worth / currentBalance) : UNKNOWN
    const verb = side === positions[i - 1]?.side ? '' : side === 'short' ? 'short ' : 'holds '
    return `${verb}${share} ${marketOf(symbol)?.base ?? coinOf(symbol)}`
  })
  return words.length === 0 ? 'holds nothing' : words.join(', ')
}

/** What a bot does and holds: `Trend with steady risk · holds 87% BTC`. */
export const doesWords = (
  bot: Pick<Bot, 'strategy' | 'parameters' | 'positions' | 'currentBalance'>,
  marketOf: (symbol: string) => Market | undefined,
): string => {
  const how = bot.strategy === 'openai' ? 'OpenAI signal' : policyWords(bot)
  return `${how} · ${holdsWords(bot, marketOf)}`
}

/** The first `most` pairs, and how many more there are. */
export const shownPairs = (pairs: readonly string[], most: number): { named: readonly string[]; more: number } => ({
  named: pairs.slice(0, most),
  more: Math.max(0, pairs.length - most),
})

/** `BTCUSDT, ETHUSDT +2`. */
export function pairWords(pairs: readonly string[], most: number): string {
  const { named, more } = shownPairs(pairs, most)
  return `${named.join(', ')}${more > 0 ? ` +${more}` : ''}`
}

const AND = new Intl.ListFormat('en-GB')
/** What it holds: `0.02 BTC and 0.3 ETH`; empty where that is nothing. */
export const heldWords = ({ positions }: Pick<Bot, 'positions'>): string =>
  AND.format(positions.map(({ symbol, quantity }) => formatQuantityAsset(quantity, coinOf(symbol))))

/** Whether it is stopped and has kept what it holds, rather than being about to sell it. */
export const hasKept = ({
  status,
  statusReason,
  positions,
}: Pick<Bot, 'status' | 'statusReason' | 'positions'>): boolean =>
  status === 'stopped' && statusReason !== null && positions.length > 0

/** How it makes trades out of what it knows. */
export const policyOf = ({ parameters }: Pick<Bot, 'parameters'>): Policy => parameters?.policy ?? 'signal'

/** What one trade is worth, as its owner chose it: a policy sizes by the risk level, whatever the position size says. */
export function sizeWords(
  bot: Pick<Bot, 'positionSize' | 'tradingPairs' | 'parameters'>,
  marketOf: (symbol: string) => Market | undefined,
): string {
  const sizing = bot.parameters?.sizing
  const policy = policyOf(bot)
  if (holdsShare(policy)) return policy === 'fixed_share' ? 'Half the balance' : 'By risk level'
  if (sizing?.kind === 'quote_amount') return formatMoneyUnit(sizing.quote, 'USDT')
  if (sizing?.kind === 'percent_of_equity') return `${formatLimitPct(sizing.pct)} of balance`
  if (sizing?.kind === 'volatility_target') return `${formatLimitPct(sizing.annualPct)} a year`
  const market = bot.tradingPairs.length === 1 ? marketOf(bot.tradingPairs[0]!) : undefined
  return market === undefined ? formatQuantity(bot.positionSize) : formatQuantityAsset(bot.positionSize, market.base)
}

/** The same after other words: `size 0.015 BTC`, `size by risk level`. */
export function sizePhrase(...bot: Parameters<typeof sizeWords>): string {
  const words = sizeWords(...bot)
  return `size ${words.charAt(0).toLowerCase()}${words.slice(1)}`
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

/** Return of a bot since it was created, percent; 0 where it began with nothing. */
export const returnPctOf = ({
  initialBalance,
  currentBalance,
}: Pick<Bot, 'initialBalance' | 'currentBalance'>): number =>
  initialBalance > 0 ? (100 * (currentBalance - initialBalance)) / initialBalance : 0
