import type { Role, User } from '@shapecast/contracts/auth'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { AuthSession, AuthState } from './auth-session.ts'

export const AuthContext = createContext<AuthSession | null>(null)

/** The session's actions: login, register, logout. */
export function useAuthSession(): AuthSession {
  const session = useContext(AuthContext)
  if (session === null) throw new Error('useAuthSession needs an AuthContext above it')
  return session
}

/** Who is signed in, kept up to date. */
export function useAuthState(): AuthState {
  const session = useAuthSession()
  return useSyncExternalStore(session.subscribe, session.state)
}

/** The signed-in user, or null. */
export const useUser = (): User | null => useAuthState().user

/** True where somebody is signed in whose role is in `roles`. */
export const hasRole = (user: User | null, roles: readonly Role[]): boolean =>
  user !== null && roles.includes(user.role)

/** True for admin and bot_manager: they run backtests and change a model's stage. */
export const useIsManager = (): boolean => hasRole(useUser(), ['admin', 'bot_manager'])

/** Why a job cannot be started, as the words of its button: nobody is signed in, or the role does not allow it. */
export function useRunObstacle(verb = 'run'): string | null {
  const user = useUser()
  if (user === null) return `Sign in to ${verb}`
  return hasRole(user, ['admin', 'bot_manager'])
    ? null
    : `${verb.charAt(0).toUpperCase()}${verb.slice(1)} disabled for your role`
}
