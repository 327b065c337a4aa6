import { call } from '#wire/calls/client.ts'
import { createQueryClient } from '#wire/calls/query-client.ts'
import { createAuthSession } from '#wire/session/auth-session.ts'
import { browserToken, TOKEN_KEY, UNAUTHORIZED_EVENT } from '#wire/session/session-token.ts'

export const queryClient = createQueryClient(console.warn)
export const authSession = createAuthSession({ call, token: browserToken, warn: console.warn })

/** A page that was to be left and still runs after this time was not left. */
const STAYS_AFTER_MS = 2000

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
  const onLeave = () => {
    authSession.ignorePending()
    // Where the page stays after all, the session is still to be resumed.
    setTimeout(() => {
      if (authSession.state().status === 'checking') void authSession.start()
    }, STAYS_AFTER_MS)
  }
  window.addEventListener(UNAUTHORIZED_EVENT, authSession.drop)
  window.addEventListener('storage', onStorage)
  window.addEventListener('beforeunload', onLeave)
  void authSession.start()
  return () => {
    unsubscribe()
    window.removeEventListener(UNAUTHORIZED_EVENT, authSession.drop)
    window.removeEventListener('storage', onStorage)
    window.removeEventListener('beforeunload', onLeave)
  }
}
