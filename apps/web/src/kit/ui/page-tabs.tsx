import { Tab, Tabs } from '@mui/material'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { InTab } from './card.tsx'
import css from './page-tabs.module.css'

export interface PageTab {
  readonly id: string
  readonly label: string
  /** How much there is behind it. */
  readonly count?: string | undefined
  readonly content: ReactNode
}

/** Parts of a page, one at a time; which one stands in the address. `asCard` makes them one card, of which each tab is a head. */
export function PageTabs({
  label,
  tabs,
  asCard = false,
}: {
  label: string
  tabs: readonly PageTab[]
  asCard?: boolean
}) {
  const [search, setSearch] = useSearchParams()
  const shown = tabs.find(({ id }) => id === search.get('tab')) ?? tabs[0]
  if (shown === undefined) return null
  return (
    <div className={asCard ? css.card : css.tabs}>
      <Tabs
        value={shown.id}
        aria-label={label}
        variant="scrollable"
        scrollButtons={false}
        onChange={(_, id: string) =>
          setSearch(
            (before) => {
              const next = new URLSearchParams(before)
              next.set('tab', id)
              return next
            },
            { replace: true },
          )
        }
        className={css.heads ?? ''}
      >
        {tabs.map(({ id, label, count }) => (
          <Tab
            key={id}
            value={id}
            label={
              count === undefined ? (
                label
              ) : (
                <span>
                  {label} <span className={css.count}>{count}</span>
                </span>
              )
            }
            id={`tab-${id}`}
            aria-controls={`panel-${id}`}
            className={css.head ?? ''}
          />
        ))}
      </Tabs>
      <div role="tabpanel" id={`panel-${shown.id}`} aria-labelledby={`tab-${shown.id}`} className={css.panel}>
        <InTab value={asCard}>{shown.content}</InTab>
      </div>
    </div>
  )
}
