import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { InTab } from './card.tsx'
import css from './page-tabs.module.css'
import { moveFocus } from './toggle-group.tsx'

export interface PageTab {
  readonly id: string
  readonly label: string
  /** How much there is behind it. */
  readonly count?: string | undefined
  readonly content: ReactNode
}

/** A strip of tabs may be wider than a phone. */
const bringIntoSight = (tab: HTMLElement | null): void => {
  if (tab?.parentElement) tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 16
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
  const choose = (id: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        next.set('tab', id)
        return next
      },
      { replace: true },
    )
  return (
    <div className={asCard ? css.card : css.tabs}>
      <div role="tablist" aria-label={label} className={css.heads} onKeyDown={moveFocus}>
        {tabs.map(({ id, label, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            ref={id === shown.id ? bringIntoSight : undefined}
            aria-selected={id === shown.id}
            aria-controls={`panel-${id}`}
            tabIndex={id === shown.id ? 0 : -1}
            className={css.head}
            onClick={() => choose(id)}
          >
            {label}
            {count !== undefined && <span className={css.count}> {count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${shown.id}`} aria-labelledby={`tab-${shown.id}`} className={css.panel}>
        <InTab value={asCard}>{shown.content}</InTab>
      </div>
    </div>
  )
}
