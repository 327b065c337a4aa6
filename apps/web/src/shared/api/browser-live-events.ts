import { browserToken } from '../auth/session-token.ts'
import { onUnauthorized } from './client.ts'
import { afterFirstLoad } from './first-load.ts'
import { createLiveEvents } from './live-events.ts'

/** The one stream of this page. */
export const liveEvents = createLiveEvents({
  fetch: (...request) => window.fetch(...request),
  token: browserToken.read,
  onUnauthorized,
  // By then the page has said all that it listens to.
  hold: afterFirstLoad,
})
