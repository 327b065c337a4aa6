import type { ReactNode } from 'react'
import { EmptyState, SkeletonGroup } from '#kit/ui/card.tsx'
import { useAuthState } from '../session/auth-context.ts'

/** A page of what only users may ask for: nothing is asked before it is known that somebody is signed in. */
export function SignedIn({ to, children }: { to: string; children: ReactNode }) {
  const { status } = useAuthState()
  if (status === 'signed-in') return children
  if (status === 'signed-out') return <EmptyState isPage title={`Sign in to ${to}`} />
  return <SkeletonGroup label="Checking your session" height={240} />
}
