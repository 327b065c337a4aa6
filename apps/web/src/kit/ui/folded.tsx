import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import { coarsePointer } from '../theme/touch.ts'
import css from './folded.module.css'
import layout from './layout.module.css'

/** What is read when asked for, folded under its name. `flush` in a card whose body reaches the edges. */
export function Folded({ title, flush = false, children }: { title: string; flush?: boolean; children: ReactNode }) {
  return (
    <details className={flush ? css.flush : css.folded}>
      <summary className={layout.summary}>{title}</summary>
      <div className={css.body}>{children}</div>
    </details>
  )
}

export const summaryStyle = {
  width: 'fit-content',
  cursor: 'pointer',
  fontSize: '0.8125rem',
  lineHeight: '20px',
  color: colors.text2,
  '&:hover': { color: colors.text },
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '&::before': {
    content: '""',
    display: 'inline-block',
    width: 6,
    height: 6,
    ml: '1px',
    mr: '9px',
    mb: '2px',
    borderRight: '1.6px solid',
    borderBottom: '1.6px solid',
    transform: 'rotate(-45deg)',
  },
  'details[open] > &::before': { transform: 'translateY(-2px) rotate(45deg)' },
  [coarsePointer]: { py: 1.5, my: -0.5 },
} as const
