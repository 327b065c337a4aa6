import type { ReactNode } from 'react'
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
