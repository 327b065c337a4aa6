import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { ListSkeleton } from '#kit/ui/skeleton.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import css from './dashboard.module.css'

export interface LinkedRow {
  readonly id: string
  readonly to: string
  readonly title: string
  /** A quiet line below the title. */
  readonly facts?: string
  readonly chip: ReactNode
}

export interface LinkedListProps {
  title: string
  facts?: string
  /** Where all of them are. */
  allTo: string
  /** Undefined while they are on their way. */
  rows: readonly LinkedRow[] | undefined
  /** In the place of the rows where there are none. */
  empty: string
  /** What will stand here, and how. */
  emptyHint?: string
  emptyAction?: ReactNode
}

/** A card of the newest few of something, each row a link to it. */
export function LinkedList({ title, facts, allTo, rows, empty, emptyHint, emptyAction }: LinkedListProps) {
  return (
    <Card
      title={title}
      facts={facts}
      flush
      actions={
        <div className={css.flushButton}>
          <LinkButton to={allTo} variant="text" size="small">
            View all
          </LinkButton>
        </div>
      }
    >
      {rows === undefined ? (
        <ListSkeleton label={`Loading: ${title}`} rowHeightPx={32} rows={3} />
      ) : rows.length === 0 ? (
        <div className={css.flat}>
          <Text weight={500}>{empty}</Text>
          {emptyHint !== undefined && (
            <Text size="small" tone="text2" above={0.5}>
              {emptyHint}
            </Text>
          )}
          {emptyAction !== undefined && <div style={{ marginTop: 16 }}>{emptyAction}</div>}
        </div>
      ) : (
        <ul aria-label={title} className={layout.list}>
          {rows.map(({ id, to, title: name, facts: line, chip }) => (
            <li key={id} className={css.listed}>
              <Link to={to}>
                <div className={layout.grow}>
                  <Text as="div" noWrap weight={line === undefined ? 400 : 500}>
                    {name}
                  </Text>
                  {line !== undefined && (
                    <Note tone="text2" noWrap>
                      {line}
                    </Note>
                  )}
                </div>
                {chip}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
