import type { SearchSummary } from '@shapecast/contracts/search'
import { formatCounted } from '#kit/format/number.ts'
import { Chip } from '#kit/ui/chip.tsx'

const KEPT = { opened: 'kept part opened', spent: 'kept part was spent', none: 'nothing kept unseen' } as const

/** What a search is about. */
export function SearchChips({ search: { request, progress, verdict } }: { search: SearchSummary }) {
  const { symbol, timeframe, keptPct } = request
  const kept = verdict === null ? `kept unseen: last ${keptPct}%` : `${KEPT[verdict.kept]}`
  return (
    <>
      <Chip label={symbol} />
      <Chip label={timeframe} tone="outline" />
      <Chip label={formatCounted(progress.total, 'combination')} />
      <Chip label={verdict === null && keptPct === 0 ? KEPT.none : kept} tone="outline" />
    </>
  )
}
