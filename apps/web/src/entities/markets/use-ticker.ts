import { type Ticker, ticker } from '@shapecast/contracts/market'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { shareSubscription } from '#wire/calls/shared-subscription.ts'
import { endpointKey, REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { liveEvents } from '#wire/live/browser-live-events.ts'

/** The last price of a market: asked for every 30 s, and put in place by the live stream between. */
export function useTicker(symbol: string) {
  const queryClient = useQueryClient()
  useEffect(() => {
    return shareSubscription(`ticker ${symbol}`, () =>
      liveEvents.listen({ kind: 'ticker', symbol }, (message) => {
        if (message.event === 'ticker')
          queryClient.setQueryData<Ticker>(endpointKey(ticker, { params: { symbol } }), message.data)
      }),
    )
  }, [queryClient, symbol])
  return useEndpointQuery(ticker, { params: { symbol } }, { refetchInterval: REFRESH_MS })
}
