import { ListChecks } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { TriesByKind, useLabTries } from '#entities/runs/lab-tries.tsx'
import { formatCounted } from '#kit/format/number.ts'
import { Button } from '#kit/ui/button.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { Column } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import css from './lab-tabs.module.css'

export const isStoredRule = (pathname: string): boolean => pathname.startsWith(paths.storedRule(''))

/** The pages of the strategy lab. */
const LAB_TABS = [
  { label: 'Backtest', path: paths.backtest },
  { label: 'Rule', path: paths.rule },
  { label: 'Search', path: paths.search() },
  { label: 'Walk-forward', path: paths.walkForward() },
  { label: 'Batch', path: paths.batch() },
] as const

export const isInLab = (pathname: string): boolean =>
  pathname === paths.backtest || pathname.startsWith(`${paths.backtest}/`)

/** On a phone the tab of a page may stand beyond the edge. */
const showTab = (tab: HTMLElement | null) => tab?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })

/** The tabs below the navigation bar, 44 px high; they scroll sideways where they have no room. */
export function LabTabs() {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Strategy lab" className={css.tabs}>
      {LAB_TABS.map(({ label, path }) => (
        <Link
          key={path}
          to={path}
          {...((pathname === path || (path === paths.rule && isStoredRule(pathname))) && {
            'aria-current': 'page',
            ref: showTab,
          })}
        >
          {label}
        </Link>
      ))}
      <Tries />
    </nav>
  )
}

/** How much was tried on the page's series, with the ledger behind it. */
function Tries() {
  const tries = useLabTries()
  const [isOpen, setIsOpen] = useState(false)
  if (tries === null) return null
  const { count, byKind, symbol, timeframe } = tries
  const words = `${formatCounted(count, 'try', 'tries')} on ${symbol} ${timeframe}`
  return (
    <>
      <Button
        variant="text"
        size="small"
        startIcon={<ListChecks size={14} />}
        className={css.tries}
        onClick={() => setIsOpen(true)}
      >
        {words}
      </Button>
      {isOpen && (
        <Dialog title={words} onClose={() => setIsOpen(false)} actions={null}>
          <Column gap={1.5}>
            <TriesByKind byKind={byKind} />
          </Column>
        </Dialog>
      )}
    </>
  )
}
