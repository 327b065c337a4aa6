import { onUnauthorized, tokenStore } from './client.ts'
import { createLiveEvents } from './live-events.ts'

/** The one stream of this page. */
export const liveEvents = createLiveEvents({
  fetch: (...request) => window.fetch(...request),
  token: tokenStore.read,
  onUnauthorized,
})
