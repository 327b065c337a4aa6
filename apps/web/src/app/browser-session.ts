import { call } from '#wire/calls/client.ts'
import { createQueryClient } from '#wire/calls/query-client.ts'
import { createAuthSession } from '#wire/session/auth-session.ts'
import { browserToken, TOKEN_KEY, UNAUTHORIZED_EVENT } from '#wire/session/session-token.ts'

export const queryClient = createQueryClient(console.warn)

/** Longer than a page lives on whose calls were ended because another one takes its place. */
const STILL_HERE_MS = 2000

export const authSession = createAuthSession({
  call,
  token: browserToken,
  warn: console.warn,
  stillHere: () => new Promise((resolve) => setTimeout(resolve, STILL_HERE_MS)),
})

/** Connects the session to the browser: a 401 anywhere ends it, other tabs share it, and no reply outlives its user. */
export function connectSession(): () => void {
  let before = authSession.state()
  const unsubscribe = authSession.subscribe(() => {
    const now = authSession.state()
    // What was asked for while the session was checked was asked for with the token of the user it turns out to be.
    const isSamePerson = now.user?.id === before.user?.id || (before.status === 'checking' && now.user !== null)
    before = now
    if (!isSamePerson) queryClient.clear()
  })
  const onStorage = (event: StorageEvent) => {
    if (event.key === TOKEN_KEY || event.key === null) void authSession.start()
  }
  window.addEventListener(UNAUTHORIZED_EVENT, authSession.drop)
  window.addEventListener('storage', onStorage)
  void authSession.start()
  return () => {
    unsubscribe()
    window.removeEventListener(UNAUTHORIZED_EVENT, authSession.drop)
    window.removeEventListener('storage', onStorage)
  }
}
