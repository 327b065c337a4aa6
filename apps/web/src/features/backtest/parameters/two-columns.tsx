import type { ReactNode } from 'react'
import { Column } from '#kit/ui/layout.tsx'

/** Two fields side by side. */
export const TwoColumns = ({ children }: { children: ReactNode }) => (
  <Column gap={1.5} style={{ gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' }}>
    {children}
  </Column>
)
