import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import type { Model } from '@shapecast/contracts/ml'
import { formatShareRatioShort } from '../../../shared/format/percent.ts'

export const STRATEGY_LABEL = { ml: 'ML', openai: 'OpenAI' } as const
export const sentenceCase = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `Northwind BTC · ML · BTCUSDT` */
export const botLabel = (bot: Bot): string =>
  [bot.name, STRATEGY_LABEL[bot.strategy], bot.tradingPairs[0]].filter((part) => part !== undefined).join(' · ')

/** `v3.2 · production · acc 57%`; a stage or accuracy that is not known is said so. */
export function modelLabel(model: {
  version: string
  stage?: string
  stats: Pick<Model['stats'], 'accuracy'>
}): string {
  const accuracy = model.stats.accuracy
  const acc = accuracy === null ? 'not trained' : `acc ${formatShareRatioShort(accuracy)}`
  return `${model.version} · ${model.stage ?? 'none'} · ${acc}`
}

/** `ML, model v3.2`, `ML, 3 models`, `OpenAI` */
export function strategyText(bot: Pick<Bot, 'strategy' | 'mlModelVersion' | 'mlModelVersions'>): string {
  if (bot.strategy !== 'ml') return STRATEGY_LABEL[bot.strategy]
  if (bot.mlModelVersions !== null && bot.mlModelVersions.length > 0) return `ML, ${bot.mlModelVersions.length} models`
  return bot.mlModelVersion === null ? 'ML' : `ML, model ${bot.mlModelVersion}`
}

/** Base and quote of a symbol whose market is not known: `BTC` and `USDT` of `BTCUSDT`. */
export function assetsOf(symbol: string, market: Market | undefined): { base: string; quote: string } {
  if (market !== undefined) return { base: market.base, quote: market.quote }
  const quote = ['USDT', 'USDC', 'BUSD', 'EUR', 'USD', 'BTC', 'ETH'].find((q) => symbol.endsWith(q) && symbol !== q)
  return quote === undefined ? { base: symbol, quote: '' } : { base: symbol.slice(0, -quote.length), quote }
}
