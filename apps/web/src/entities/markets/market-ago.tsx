import { Ago } from '#kit/ui/ago.tsx'
import { useHealth } from '#wire/calls/use-health.ts'

/** As `Ago`, of a time of the market: in a replay by the clock of its history. */
export const MarketAgo = ({ ms }: { ms: number }) => <Ago ms={ms} nowMs={useHealth().data?.marketTime ?? undefined} />
