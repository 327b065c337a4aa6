import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './banner.module.css'
import { IconButton } from './button.tsx'
import layout from './layout.module.css'
import { Text } from './primitives.tsx'

const KINDS = {
  error: { icon: <CircleAlert size={18} />, role: 'alert' },
  warning: { icon: <TriangleAlert size={18} />, role: 'status' },
  info: { icon: <Info size={18} />, role: 'status' },
} as const

export interface BannerProps {
  kind: keyof typeof KINDS
  /** What happened, in a sentence or less. */
  title: ReactNode
  /** Why, and what to do next. */
  children?: ReactNode
  /** Red banners can be dismissed. */
  onDismiss?: () => void
  action?: ReactNode
}

/** A message across the page: red for what failed, amber for what stays true, blue for information. */
export function Banner({ kind, title, children, onDismiss, action }: BannerProps) {
  const { icon, role } = KINDS[kind]
  return (
    <div role={role} className={`${css.banner} ${css[kind]}`}>
      <div className={css.icon}>{icon}</div>
      <div className={layout.grow}>
        <Text as="div" weight={500}>
          {title}
        </Text>
        {children !== undefined && (
          <Text as="div" size="small" breaks tone="text2">
            {children}
          </Text>
        )}
      </div>
      {action !== undefined && (
        // Below sm it stands under the words, in line with them.
        <div className={css.action}>{action}</div>
      )}
      {onDismiss !== undefined && (
        <IconButton size="small" aria-label="Dismiss" onClick={onDismiss} style={{ marginTop: -3 }}>
          <X />
        </IconButton>
      )}
    </div>
  )
}
