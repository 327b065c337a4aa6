import { useBots } from '#entities/bots/use-bots.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { LinkButton } from '#kit/ui/button.tsx'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { paths } from '#routes/paths.ts'
import { useRealTrading } from './use-real-trading.ts'

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
