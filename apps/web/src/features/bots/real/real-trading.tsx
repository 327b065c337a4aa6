import { killBots } from '@shapecast/contracts/bot-changes'
import { type RealTradingState, realTradingState } from '@shapecast/contracts/real-bots'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBots } from '#entities/bots/use-bots.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { LinkButton } from '#kit/ui/button.tsx'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { paths } from '#routes/paths.ts'
import { endpointKey, useEndpointQuery } from '#wire/calls/use-endpoint.ts'

const KilledBanner = onDemand(async () => (await import('./killed-banner.tsx')).KilledBanner)

/** Above every page of an admin while real trading is off, or a real bot stands in error. It cannot be put away. */
export function RealTradingBanner() {
  const state = useRealTrading().data
  const failed = useBots().data?.filter((bot) => !bot.isVirtual && bot.status === 'error') ?? []
  return (
    <>
      {state?.killed === true && <KilledBanner state={state} />}
      {failed.map((bot) => (
        <Banner
          key={bot.id}
          kind="error"
          title={`${bot.name} has stopped trading real money`}
          action={
            <LinkButton size="small" to={paths.bot(bot.id)}>
              Show bot
            </LinkButton>
          }
        >
          {bot.statusReason ?? 'Look at its orders and its position.'}
        </Banner>
      ))}
    </>
  )
}

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
export function useRealTradingChange(change: () => Promise<RealTradingState>, onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (state) => {
      queryClient.setQueryData(endpointKey(realTradingState, {}), state)
      onDone()
    },
    meta: { changes: [killBots] },
  })
}
