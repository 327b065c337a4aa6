import { createClient } from '@shapecast/contracts/client'
import { createTokenStore, UNAUTHORIZED_EVENT } from '../auth/session-token.ts'

export const tokenStore = createTokenStore(() => window.localStorage)

/** The one typed caller of both services, for replies and for files, on the page's own origin. Any 401 clears the token and says so. */
export const { call, file } = createClient({
  origin: '',
  token: tokenStore.read,
  onUnauthorized() {
    tokenStore.clear()
    window.dispatchEvent(new Event(UNAUTHORIZED_EVENT))
  },
})
