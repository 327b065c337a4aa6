import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { health } from '@shapecast/contracts/market'
import { useEndpointQuery } from './use-endpoint.ts'

export const HEALTH_REFRESH_MS = 30_000

/** What differs at every reply and is shown nowhere would draw every page anew. */
const steady = ({ feedLagMs: _lag, clockSkewMs: _skew, ...rest }: ReplyOf<typeof health>) => rest

/** The trading service's health and market, asked again every 30 s. */
export const useHealth = () => useEndpointQuery(health, {}, { refetchInterval: HEALTH_REFRESH_MS, select: steady })
