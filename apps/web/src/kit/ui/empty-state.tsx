import type { ReactNode } from 'react'
import { Mark } from './logo.tsx'
import { Text } from './primitives.tsx'

/** Where a page or a large region has nothing to show: mark, sentence, one action, aligned left. */
export function EmptyState({
  title,
  children,
  action,
  isPage = false,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
  /** There is nothing else: its title is that of the page. */
  isPage?: boolean
}) {
  return (
    <div style={{ padding: 24, display: 'flex', flexDirection: 'column', alignItems: 'flex-start' }}>
      <Mark sizePx={28} />
      <Text as={isPage ? 'h1' : 'p'} size="h2" above={2}>
        {title}
      </Text>
      {children !== undefined && (
        <Text size="small" tone="text2" above={0.5} style={{ maxWidth: 460 }}>
          {children}
        </Text>
      )}
      {action !== undefined && <div style={{ marginTop: 16 }}>{action}</div>}
    </div>
  )
}

/** An empty list: one line. */
export const EmptyLine = ({ children }: { children: ReactNode }) => (
  <Text size="small" tone="text2" style={{ padding: '14px 16px' }}>
    {children}
  </Text>
)
