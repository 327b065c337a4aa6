import { type Bot, STRATEGY_LABEL } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import type { Model } from '@shapecast/contracts/ml'
import { formatShareRatioShort } from '#kit/format/percent.ts'

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

/** Base and quote of a symbol whose market is not known: `BTC` and `USDT` of `BTCUSDT`. */
export function assetsOf(symbol: string, market: Market | undefined): { base: string; quote: string } {
  if (market !== undefined) return { base: market.base, quote: market.quote }
  const quote = ['USDT', 'USDC', 'BUSD', 'EUR', 'USD', 'BTC', 'ETH'].find((q) => symbol.endsWith(q) && symbol !== q)
  return quote === undefined ? { base: symbol, quote: '' } : { base: symbol.slice(0, -quote.length), quote }
}
