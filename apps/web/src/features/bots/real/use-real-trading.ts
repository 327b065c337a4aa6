import { killBots } from '@shapecast/contracts/bot-changes'
import { type RealTradingState, realTradingState } from '@shapecast/contracts/real-bots'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const REFRESH_MS = 30_000
/** While orders are being cancelled and positions sold, it is worth knowing sooner. */
const REFRESH_WHILE_KILLED_MS = 5_000

/** Whether bots may trade real money, and what is left of them at the exchange. */
export const useRealTrading = () =>
  useEndpointQuery(
    realTradingState,
    {},
    {
      refetchInterval: ({ state }) => (state.data?.killed ? REFRESH_WHILE_KILLED_MS : REFRESH_MS),
    },
  )

/** A call that turns real trading off or on: its answer counts at once, and the bots are read again. */
export function useRealTradingChange(change: () => Promise<RealTradingState>, onDone?: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (state) => {
      queryClient.setQueryData(endpointKey(realTradingState, {}), state)
      onDone?.()
    },
    meta: { changes: [killBots] },
  })
}
