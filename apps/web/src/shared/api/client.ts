import { createClient } from '@shapecast/contracts/client'
import { browserToken, UNAUTHORIZED_EVENT } from '../auth/session-token.ts'
import { fetchOnce } from './first-calls.ts'

/** What follows a 401 on any call: no token, and everybody who listens is told. */
export function onUnauthorized(): void {
  browserToken.clear()
  window.dispatchEvent(new Event(UNAUTHORIZED_EVENT))
}

/** The one typed caller of both services, for replies and for files, on the page's own origin. */
export const { call, file } = createClient({
  origin: '',
  token: browserToken.read,
  onUnauthorized,
  fetch: fetchOnce,
})
