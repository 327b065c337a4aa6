import type { ReactNode } from 'react'
import { Text } from './primitives.tsx'
import css from './setting-row.module.css'

export interface SettingRowProps {
  title: ReactNode
  children?: ReactNode
  /** Before the words. */
  icon?: ReactNode
  /** Buttons or a switch at the right. */
  action?: ReactNode
}

/** A row of a card that reaches its edges: what it is, a sentence, and what can be done. */
export const SettingRow = ({ title, children, icon, action }: SettingRowProps) => (
  <div className={css.row}>
    {icon !== undefined && <div className={css.icon}>{icon}</div>}
    <div className={css.words}>
      <Text as="div" weight={500}>
        {title}
      </Text>
      {children !== undefined && (
        <Text as="div" size="small" breaks tone="text2">
          {children}
        </Text>
      )}
    </div>
    {action !== undefined && <div className={css.action}>{action}</div>}
  </div>
)
