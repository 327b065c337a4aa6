import { onUnauthorized } from '../calls/client.ts'
import { whenIdle } from '../calls/when-idle.ts'
import { browserToken } from '../session/session-token.ts'
import { createLiveEvents } from './live-events.ts'

/** The one stream of this page. */
export const liveEvents = createLiveEvents({
  fetch: (...request) => window.fetch(...request),
  token: browserToken.read,
  onUnauthorized,
  hold(tell) {
    let isLoading = true
    // A browser makes six connections to one address for all of its tabs: those that nobody sees leave theirs to others.
    const look = () => tell(isLoading || document.hidden)
    look()
    // By then the page has said all that it listens to.
    whenIdle(() => {
      isLoading = false
      look()
    })
    document.addEventListener('visibilitychange', look)
  },
})
