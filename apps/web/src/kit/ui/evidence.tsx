import type { ReactNode } from 'react'
import css from './evidence.module.css'
import { Figure } from './figure.tsx'
import layout from './layout.module.css'
import { Note } from './text.tsx'

/** Figures that lead a card, side by side as far as there is room. */
export const EvidenceRow = ({ children }: { children: ReactNode }) => <div className={css.row}>{children}</div>

/** A figure and the line that makes it mean something. */
export const Evidence = ({ label, value, children }: { label: string; value: ReactNode; children?: ReactNode }) => (
  <div className={layout.shrinks}>
    <Figure label={label} value={value} />
    <Note className={css.line}>{children}</Note>
  </div>
)
