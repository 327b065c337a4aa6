import type { UTCTimestamp } from 'lightweight-charts'

/** A time in ms as the chart library counts it: seconds since 1970, UTC. */
export const utcSeconds = (ms: number): UTCTimestamp => (ms / 1000) as UTCTimestamp
