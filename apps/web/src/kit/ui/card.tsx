import { createContext, type ReactNode, use, useId } from 'react'
import css from './card.module.css'
import layout from './layout.module.css'
import { Text } from './primitives.tsx'

export interface CardProps {
  title: ReactNode
  /** Quiet words beside the title: a timeframe, a count. */
  facts?: ReactNode
  /** Buttons or chips at the right of the head. */
  actions?: ReactNode
  /** For lists and tables that reach the edges; they begin with a divider. */
  flush?: boolean
  children?: ReactNode
}

/** Whether a card stands in a tab, which is its head. */
export const InTab = createContext(false)

/** A region of a page: 48 px head with title, facts and actions, then a body without a border on top. */
export function Card({ title, facts, actions, flush = false, children }: CardProps) {
  const titleId = useId()
  if (use(InTab))
    return (
      <InTab value={false}>
        <section aria-labelledby={titleId} className={css.inTab}>
          <h2 id={titleId} className={layout.visuallyHidden}>
            {title}
          </h2>
          <div className={css.tabActions}>
            {facts !== undefined && (
              <Text as="div" size="small" tone="text3">
                {facts}
              </Text>
            )}
            {actions}
          </div>
          <div className={flush ? css.tabFlush : css.tabBody}>{children}</div>
        </section>
      </InTab>
    )
  return (
    <section aria-labelledby={titleId} className={css.card}>
      <div className={css.head}>
        <Text size="h2" id={titleId}>
          {title}
        </Text>
        {facts !== undefined && (
          <Text as="div" size="small" tone="text3">
            {facts}
          </Text>
        )}
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </div>
      {children !== undefined && <div className={flush ? css.flush : css.body}>{children}</div>}
    </section>
  )
}
