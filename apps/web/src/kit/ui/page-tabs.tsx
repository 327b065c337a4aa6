import { Tab, Tabs } from '@mui/material'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import css from './page-tabs.module.css'

export interface PageTab {
  readonly id: string
  readonly label: string
  readonly content: ReactNode
}

/** Parts of a page, one at a time; which one stands in the address. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const [search, setSearch] = useSearchParams()
  const shown = tabs.find(({ id }) => id === search.get('tab')) ?? tabs[0]
  if (shown === undefined) return null
  return (
    <div className={css.tabs}>
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
        {tabs.map(({ id, label }) => (
          <Tab
            key={id}
            value={id}
            label={label}
            id={`tab-${id}`}
            aria-controls={`panel-${id}`}
            className={css.head ?? ''}
          />
        ))}
      </Tabs>
      <div role="tabpanel" id={`panel-${shown.id}`} aria-labelledby={`tab-${shown.id}`} className={css.panel}>
        {shown.content}
      </div>
    </div>
  )
}
