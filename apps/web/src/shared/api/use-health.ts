import { health } from '@shapecast/contracts/market'
import { useEndpointQuery } from './use-endpoint.ts'

export const HEALTH_REFRESH_MS = 30_000

/** The trading service's health and market, asked again every 30 s. */
export const useHealth = () => useEndpointQuery(health, {}, { refetchInterval: HEALTH_REFRESH_MS })
