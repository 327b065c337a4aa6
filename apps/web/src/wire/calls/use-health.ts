import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { health } from '@shapecast/contracts/market'
import { useEndpointQuery } from './use-endpoint.ts'

export const HEALTH_REFRESH_MS = 30_000

/** While it does not answer: the page is out of date for no longer than that after it is back. */
const AWAY_REFRESH_MS = 5_000

const CLOCK_STEP_MS = 60_000

/** What differs at every reply and is shown nowhere would draw every page again. */
const toTheMinute = ({ feedLagMs: _lag, clockSkewMs: _skew, marketTime, ...rest }: ReplyOf<typeof health>) => ({
  ...rest,
  marketTime: marketTime === null ? null : Math.floor(marketTime / CLOCK_STEP_MS) * CLOCK_STEP_MS,
})

const steady = (reply: ReplyOf<typeof health>) => {
  const known = toTheMinute(reply)
  return known.market === 'replay' ? known : { ...known, marketTime: null }
}

const refetchInterval = ({ state }: { state: { status: string } }) =>
  state.status === 'error' ? AWAY_REFRESH_MS : HEALTH_REFRESH_MS

/** The trading service's health and market, asked again every 30 s. Only a replay says its time: others have that of all clocks. */
export const useHealth = () => useEndpointQuery(health, {}, { refetchInterval, select: steady })

/** As `useHealth`, with the time of every market, to the minute. */
export const useHealthAndClock = () => useEndpointQuery(health, {}, { refetchInterval, select: toTheMinute })
