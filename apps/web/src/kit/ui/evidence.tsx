import type { ReactNode } from 'react'
import { Figure } from './facts.tsx'
import layout from './layout.module.css'
import { Columns, Note } from './primitives.tsx'

/** Figures that lead a card, side by side as far as there is room. */
export const EvidenceRow = ({ children }: { children: ReactNode }) => (
  <Columns gap={2} at={{ xs: 'repeat(auto-fit, minmax(min(100%, 128px), 1fr))' }}>
    {children}
  </Columns>
)

/** A figure and the line that makes it mean something. */
export const Evidence = ({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) => (
  <div className={layout.shrinks}>
    <Figure label={label} value={value} />
    <Note above={0.25}>{children}</Note>
  </div>
)
