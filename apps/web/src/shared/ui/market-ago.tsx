import { useHealth } from '../api/use-health.ts'
import { Ago } from './ago.tsx'

/** As `Ago`, of a time of the market: in a replay by the clock of its history. */
export const MarketAgo = ({ ms }: { ms: number }) => <Ago ms={ms} nowMs={useHealth().data?.marketTime ?? undefined} />
