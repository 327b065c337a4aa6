import { useEffect, useRef } from 'react'
import { useUser } from './auth-context.ts'
import { TOKEN_KEY, UNAUTHORIZED_EVENT } from './session-token.ts'

/** The forms that keep what was typed over the end of a session. None of them takes a password, a key or a code. */
export type DraftName = 'bot' | 'task' | 'backtest' | 'training' | 'rule'

const keyOf = (userId: string, name: DraftName) => `draft:${userId}:${name}`

/** What the signed-in person had typed when the session ended; null where there is nothing. */
export function useDraft<Draft>(name: DraftName): Partial<Draft> | null {
  const user = useUser()
  return user === null ? null : read(keyOf(user.id, name))
}

/**
 * Keeps `draft` in this tab when the session ends without a sign-out by hand: by a 401, or in another tab. Null keeps
 * nothing. A form that shows takes its draft out of the tab again.
 */
export function useKeepDraft(name: DraftName, draft: object | null): void {
  const user = useUser()
  const newest = useRef(draft)
  useEffect(() => {
    newest.current = draft
  })
  useEffect(() => {
    if (user === null) return
    const key = keyOf(user.id, name)
    write(key, null)
    const keep = () => write(key, newest.current)
    const onStorage = (event: StorageEvent) => {
      if (event.key === TOKEN_KEY && event.newValue === null) keep()
    }
    // Before the session's own listeners, which take the form away.
    window.addEventListener(UNAUTHORIZED_EVENT, keep, { capture: true })
    window.addEventListener('storage', onStorage, { capture: true })
    return () => {
      window.removeEventListener(UNAUTHORIZED_EVENT, keep, { capture: true })
      window.removeEventListener('storage', onStorage, { capture: true })
    }
  }, [user, name])
}

function read<Draft>(key: string): Partial<Draft> | null {
  try {
    const text = window.sessionStorage.getItem(key)
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

function write(key: string, draft: object | null): void {
  try {
    if (draft === null) window.sessionStorage.removeItem(key)
    else window.sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Without storage what was typed is lost with the session.
  }
}
