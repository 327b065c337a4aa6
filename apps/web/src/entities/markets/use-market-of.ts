import { type Market, markets } from '@shapecast/contracts/market'
import { useMemo } from 'react'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const MOST_CHOICES = 200
const MARKETS_FRESH_MS = 10 * 60_000

export const useMarkets = () => useEndpointQuery(markets, {}, { staleTime: MARKETS_FRESH_MS })

/** Tick, lot and names of a market; undefined while they are not known. */
export const useMarketOf = (symbol: string): Market | undefined =>
  useMarkets().data?.find((market) => market.id === symbol)

/** The symbols that a menu offers, by their names; the shown one alone before the others are known. */
export function useSymbolChoices(shown: string): {
  choices: { value: string; label: string }[]
  nameOf(id: string): string
} {
  const markets = useMarkets().data
  return useMemo(() => {
    const nameOf = (id: string) =>
      markets === undefined ? id.replace(/USDT$/, '/USDT') : (markets.find((market) => market.id === id)?.symbol ?? id)
    const ids = selectableSymbols(markets ?? [], MOST_CHOICES)
    return { choices: (ids.length > 0 ? ids : [shown]).map((value) => ({ value, label: nameOf(value) })), nameOf }
  }, [markets, shown])
}

export type MarketOf = (symbol: string) => Market | undefined

/** What finds a market by its symbol. */
export function useMarketFinder(): MarketOf {
  const list = useMarkets().data
  return (symbol) => list?.find(({ id }) => id === symbol)
}

/** Symbols that can be chosen: quoted in USDT, not inactive, each once, the first `most` of them. */
export function selectableSymbols(markets: readonly Market[], most: number): string[] {
  const ids = markets
    .filter((market) => market.active && (market.quote === 'USDT' || market.id.endsWith('USDT')))
    .map((market) => market.id)
  return [...new Set(ids)].slice(0, most)
}
