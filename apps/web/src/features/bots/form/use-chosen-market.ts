import { markets, ticker } from '@shapecast/contracts/market'
import { useMemo } from 'react'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { SELECTABLE_PAIRS } from './bot-form.ts'

/** Which of the pairs this market has, and of the first chosen one its price and smallest order, quote. */
export function useChosenMarket(chosen: readonly string[]) {
  const list = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 }).data
  const first = chosen[0]
  const price = useEndpointQuery(
    ticker,
    { params: { symbol: first ?? '' } },
    { enabled: first !== undefined, staleTime: 30_000 },
  )
  const pairs = useMemo(() => {
    const known = new Set((list ?? []).map((market) => market.id))
    return SELECTABLE_PAIRS.filter((pair) => list === undefined || known.has(pair))
  }, [list])
  const market = list?.find(({ id }) => id === first)
  const base = chosen.length === 1 ? (market?.base ?? null) : null
  return { pairs, base, price: price.data?.last ?? null, smallestOrder: market?.minNotional ?? null }
}
