/** Where the session lives in the browser, and the event that says that a service has refused it. */
export const TOKEN_KEY = 'authToken'
export const UNAUTHORIZED_EVENT = 'unauthorized'

export interface TokenStore {
  read(): string | null
  write(token: string): void
  clear(): void
}

/** Local storage; where the browser refuses that (privacy settings), memory, so that signing in still works. */
export function createTokenStore(storage: () => Storage): TokenStore {
  let inMemory: string | null = null
  const keep = (token: string | null) => {
    inMemory = token
    try {
      if (token === null) storage().removeItem(TOKEN_KEY)
      else storage().setItem(TOKEN_KEY, token)
    } catch {
      // Memory has it.
    }
  }
  return {
    read() {
      try {
        return storage().getItem(TOKEN_KEY)
      } catch {
        return inMemory
      }
    },
    write: keep,
    clear: () => keep(null),
  }
}

/** The token of this browser. */
export const browserToken = createTokenStore(() => window.localStorage)
