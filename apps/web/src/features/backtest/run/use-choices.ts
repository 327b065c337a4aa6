import { type Bot, bots, STRATEGY_LABEL } from '@shapecast/contracts/bots'
import { type Market, seriesList } from '@shapecast/contracts/market'
import { type Model, models } from '@shapecast/contracts/ml'
import { useMemo } from 'react'
import { selectableSymbols, useMarkets } from '#entities/markets/use-market-of.ts'
import { formatShareRatioShort } from '#kit/format/percent.ts'
import { isSettled, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import type { Choices } from './backtest-request.ts'

const MAX_SYMBOLS = 50

/** What can be tested on which candles, as far as it is known. */
export function useChoices() {
  const health = useHealth()
  const botList = useEndpointQuery(bots, {})
  const modelList = useEndpointQuery(models, {})
  const marketList = useMarkets().data
  const series = useEndpointQuery(seriesList, {}, { staleTime: 30_000 })
  const choices: Choices = {
    bots: botList.data,
    models: modelList.data?.models,
    current: modelList.data?.current ?? null,
    symbols: useMemo(() => selectableSymbols(marketList ?? [], MAX_SYMBOLS), [marketList]),
    series: series.data,
    kind: health.data?.market ?? 'live',
    // Without the market's clock, the browser's own to the minute, so that a render does not move the range.
    nowMs: health.data?.marketTime ?? Math.floor(Date.now() / 60_000) * 60_000,
  }
  return {
    ...choices,
    botList,
    modelList,
    /** Whether the form can be drawn as it will stay: what it begins with is known, or could not be learnt so far. */
    isKnown: [health, botList, modelList, series].every(isSettled),
  }
}

export type KnownChoices = ReturnType<typeof useChoices>

const FAILED = { bot: 'The bots could not be loaded.', model: 'The models could not be loaded.' } as const
const NONE = {
  bot: 'There is no bot yet. Create one on the Bots page.',
  model: 'There is no model yet. Train one on the Lern page.',
} as const

/** Why there is nothing to test; undefined where there is, or where that is not known yet. */
export function whyNothing(mode: 'bot' | 'model', choices: KnownChoices): string | undefined {
  const [reply, all] = mode === 'bot' ? [choices.botList, choices.bots] : ([choices.modelList, choices.models] as const)
  if (all === undefined) return reply.isError ? FAILED[mode] : undefined
  return all.length === 0 ? NONE[mode] : undefined
}

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
