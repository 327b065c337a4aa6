import { type AuthReply, login, logout, profile, register, type User } from '@shapecast/contracts/auth'
import { ApiError, type Call, type CallInput } from '@shapecast/contracts/client'
import type { TokenStore } from './session-token.ts'

export type AuthState =
  | { readonly status: 'checking'; readonly user: null }
  | { readonly status: 'signed-out'; readonly user: null }
  | { readonly status: 'signed-in'; readonly user: User }

const CHECKING: AuthState = { status: 'checking', user: null }
const SIGNED_OUT: AuthState = { status: 'signed-out', user: null }

/** Who is signed in. Knows no framework: the provider subscribes to it. */
export function createAuthSession(parts: {
  call: Call
  token: TokenStore
  warn?: (text: string, error: unknown) => void
  /** Resolves a moment later; never on a page that has been left. */
  stillHere: () => Promise<void>
}) {
  const { call, token, stillHere } = parts
  const warn = parts.warn ?? (() => undefined)
  const listeners = new Set<() => void>()
  let current: AuthState = token.read() === null ? SIGNED_OUT : CHECKING
  // A reply that arrives after the session has changed hands must not decide who is signed in.
  let generation = 0

  const become = (next: AuthState) => {
    generation++
    if (next === current) return
    current = next
    for (const listener of listeners) listener()
  }
  const enter = (reply: AuthReply) => {
    token.write(reply.accessToken)
    become({ status: 'signed-in', user: reply.user })
  }
  const leave = () => {
    token.clear()
    become(SIGNED_OUT)
  }

  return {
    state: () => current,
    /** Calls `listener` after every change; returns what ends that. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /**
     * Fetches the profile where a token is stored. Any failure clears the token; one without a reply does so only where the
     * page still stands a moment later, as leaving a page ends its calls, which says nothing about the session. Never rejects.
     */
    async start(): Promise<void> {
      if (token.read() === null) return become(SIGNED_OUT)
      if (current.status !== 'signed-in') become(CHECKING)
      // A token that came meanwhile is asked about by a later call, whose answer counts.
      const mine = ++generation
      try {
        const { user } = await call(profile, {})
        if (mine === generation) become({ status: 'signed-in', user })
      } catch (error) {
        if (!(error instanceof ApiError && error.status > 0)) await stillHere()
        if (mine !== generation) return
        warn('The stored session could not be resumed.', error)
        leave()
      }
    },
    /** Rejects with the ApiError of the service. */
    async login(credentials: CallInput<typeof login>['body']): Promise<void> {
      enter(await call(login, { body: credentials }))
    },
    /** Rejects with the ApiError of the service. */
    async register(registration: CallInput<typeof register>['body']): Promise<void> {
      enter(await call(register, { body: registration }))
    },
    /** Ends the session at the service and always here. Never rejects. */
    async logout(): Promise<void> {
      // The call takes the token along; anyone who signs in while it lasts is not signed out by its end.
      const told = call(logout, {})
      leave()
      try {
        await told
      } catch (error) {
        warn('The service could not end the session; it is ended in this browser.', error)
      }
    },
    /** The signed-in user has another name or address now. */
    renamed(user: User): void {
      if (current.user?.id === user.id) become({ status: 'signed-in', user })
    },
    /** What follows a 401 on any call: no token, no user. */
    drop: leave,
  }
}
export type AuthSession = ReturnType<typeof createAuthSession>
