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
  const attempt = <T>(action: (store: Storage) => T, otherwise: () => T): T => {
    try {
      return action(storage())
    } catch {
      return otherwise()
    }
  }
  return {
    read: () =>
      attempt(
        (store) => store.getItem(TOKEN_KEY),
        () => inMemory,
      ),
    write(token) {
      inMemory = token
      attempt(
        (store) => store.setItem(TOKEN_KEY, token),
        () => undefined,
      )
    },
    clear() {
      inMemory = null
      attempt(
        (store) => store.removeItem(TOKEN_KEY),
        () => undefined,
      )
    },
  }
}

/** The token of this browser. */
export const browserToken = createTokenStore(() => window.localStorage)
