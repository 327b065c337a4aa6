import { QueryClientProvider } from '@tanstack/react-query'
import { LucideProvider } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { AuthContext } from '#wire/session/auth-context.ts'
import { authSession, connectSession, queryClient } from './browser-session.ts'

/** What all pages find around them: icons, cache, session. */
export function Providers({ children }: { children: ReactNode }) {
  useEffect(connectSession, [])
  return (
    <LucideProvider size={16} strokeWidth={1.6}>
      <QueryClientProvider client={queryClient}>
        <AuthContext value={authSession}>{children}</AuthContext>
      </QueryClientProvider>
    </LucideProvider>
  )
}
