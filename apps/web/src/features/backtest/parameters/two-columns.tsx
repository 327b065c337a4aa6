import type { ReactNode } from 'react'
import css from './two-columns.module.css'

/** Two fields side by side. */
export const TwoColumns = ({ children }: { children: ReactNode }) => <div className={css.columns}>{children}</div>
