import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link as RouterLink, useOutletContext } from 'react-router'
import { paths } from '#routes/paths.ts'
import { InTab } from './card.tsx'
import css from './page-head.module.css'
import pageTabsCss from './page-tabs.module.css'
import { Link, Row, Text } from './primitives.tsx'
import { moveFocus } from './toggle-group.tsx'
import { useAddressQuery } from './use-address-query.ts'

/** The head of a page below the Data Center: the way back, its name, quiet facts, actions. */
export function PageHead({ title, facts, actions }: { title: string; facts?: ReactNode; actions?: ReactNode }) {
  const homeSearch = useOutletContext<string>()
  return (
    <div>
      <Link as={RouterLink} to={paths.dataCenter + homeSearch} className={css.back}>
        <ArrowLeft size={14} aria-hidden />
        Data Center
      </Link>
      <Row gap={1.5} lineGap={1} wrap>
        <Text size="h1">{title}</Text>
        {facts}
        {actions !== undefined && (
          <Row gap={1} wrap className={css.actions}>
            {actions}
          </Row>
        )}
      </Row>
    </div>
  )
}

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
  const [search, setAddress] = useAddressQuery()
  const shown = tabs.find(({ id }) => id === search.get('tab')) ?? tabs[0]
  if (shown === undefined) return null
  return (
    <div className={asCard ? pageTabsCss.card : pageTabsCss.tabs}>
      <div role="tablist" aria-label={label} className={pageTabsCss.heads} onKeyDown={moveFocus}>
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
            className={pageTabsCss.head}
            onClick={() => setAddress({ tab: id })}
          >
            {label}
            {count !== undefined && <span className={pageTabsCss.count}> {count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${shown.id}`} aria-labelledby={`tab-${shown.id}`} className={pageTabsCss.panel}>
        <InTab value={asCard}>{shown.content}</InTab>
      </div>
    </div>
  )
}
