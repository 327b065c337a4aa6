import { createContext, type ReactNode, use, useId } from 'react'
import css from './card.module.css'
import layout from './layout.module.css'
import { Mark } from './logo.tsx'
import { Column, Text } from './primitives.tsx'

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

/** The frame of a card without a head; amber where it cautions. */
export const frameClass = (isCaution: boolean) => (isCaution ? `${css.card} ${css.caution}` : css.card)

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

/** The rows of a list that is on its way. */
export const ListSkeleton = ({ label, rowHeightPx, rows }: { label: string; rowHeightPx: number; rows: number }) => (
  <SkeletonGroup label={label}>
    <Column gap={2} className={layout.inset}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <SkeletonBox key={row} height={rowHeightPx} />
      ))}
    </Column>
  </SkeletonGroup>
)

/** A box in the place of content that is on its way. Wrap a group of them in `SkeletonGroup`. */
export const SkeletonBox = ({ width = '100%', height = 16 }: { width?: number | string; height?: number | string }) => (
  <span className={css.box} style={{ width, height }} />
)

/** The boxes of one region, or one box of a height: unseen for 150 ms, and announced as loading. */
export const SkeletonGroup = ({
  label = 'Loading',
  height,
  children,
}: {
  label?: string
  height?: number | string
  children?: ReactNode
}) => (
  <div role="status" aria-label={label} className={css.group}>
    {height === undefined ? children : <SkeletonBox height={height} />}
  </div>
)
