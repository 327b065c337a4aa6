import { ThemeProvider } from '@mui/material'
import { QueryClientProvider } from '@tanstack/react-query'
import { LucideProvider } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { theme } from '#kit/theme/theme.ts'
import { ProofGate } from '#wire/proof/proof-gate.tsx'
import { AuthContext } from '#wire/session/auth-context.ts'
import { authSession, connectSession, queryClient } from './browser-session.ts'

/** Everything that pages find around them: theme, icons, cache, session. */
export function Providers({ children }: { children: ReactNode }) {
  useEffect(connectSession, [])
  return (
    <ThemeProvider theme={theme}>
      <LucideProvider size={16} strokeWidth={1.6}>
        <QueryClientProvider client={queryClient}>
          <AuthContext value={authSession}>
            {children}
            <ProofGate />
          </AuthContext>
        </QueryClientProvider>
      </LucideProvider>
    </ThemeProvider>
  )
}
