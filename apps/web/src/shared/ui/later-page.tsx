import { Card as MuiCard, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { EmptyState } from './empty-state.tsx'
import { LinkButton } from './link-button.tsx'

/** A screen that is still to come: says in a sentence what will be there, shows no figure, and leads on to Test. */
export function LaterPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <Typography variant="h1" sx={{ mb: 2 }}>
        {title}
      </Typography>
      <MuiCard>
        <EmptyState
          title="This screen is not built yet"
          action={
            <LinkButton to="/backtest" variant="contained">
              Go to Test
            </LinkButton>
          }
        >
          {children}
        </EmptyState>
      </MuiCard>
    </>
  )
}
