import { type Market, markets } from '@shapecast/contracts/market'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const MARKETS_FRESH_MS = 10 * 60_000

export const useMarkets = () => useEndpointQuery(markets, {}, { staleTime: MARKETS_FRESH_MS })

/** Tick, lot and names of a market; undefined while they are not known. */
export const useMarketOf = (symbol: string): Market | undefined =>
  useMarkets().data?.find((market) => market.id === symbol)

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
