import type { ReactNode } from 'react'
import css from './empty-state.module.css'
import { Mark } from './logo.tsx'
import { Text } from './text.tsx'

/** Where a page or a large region has nothing to show: mark, sentence, one action, aligned left. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={css.empty}>
      <Mark sizePx={28} />
      <Text as="p" size="h2" className={css.title}>
        {title}
      </Text>
      {children !== undefined && (
        <Text size="small" tone="text2" className={css.words}>
          {children}
        </Text>
      )}
      {action !== undefined && <div className={css.action}>{action}</div>}
    </div>
  )
}

/** An empty list: one line. */
export const EmptyLine = ({ children }: { children: ReactNode }) => (
  <Text size="small" tone="text2" className={css.line}>
    {children}
  </Text>
)
