import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { RunPeriod } from '@shapecast/contracts/backtest-results'
import { useState } from 'react'
import { formatMoney } from '#kit/format/money.ts'
import { directionOf, formatCount, formatFixed } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { directionColor } from '#kit/ui/primitives.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import css from './opened-run.module.css'

type PeriodKind = keyof BacktestRun['periods']

const seenWord = (isSeen: boolean) => (
  <span className={isSeen ? css.seen : css.unseen}>{isSeen ? 'in-sample' : 'unseen'}</span>
)

const columnsOf = (quote: string, withSeen: boolean): Column<RunPeriod>[] => [
  {
    head: 'Candles of',
    keep: true,
    whole: true,
    cell: ({ from, to, isSeen }) => (
      <>
        {formatDateRange(from, to)}
        {/* A phone has no room for the column that says it. */}
        {withSeen && <div className={css.onPhone}>{seenWord(isSeen)}</div>}
      </>
    ),
  },
  ...(withSeen ? [{ head: 'Model', cell: ({ isSeen }: RunPeriod) => seenWord(isSeen) }] : []),
  {
    head: 'Net return',
    figure: true,
    keep: true,
    cell: ({ returnPct, isSeen }) => (
      <span style={{ fontWeight: 500, color: isSeen ? colors.text2 : directionColor(directionOf(returnPct)) }}>
        {formatChangePct(returnPct)}
      </span>
    ),
  },
  { head: 'Buy and hold', figure: true, quiet: true, cell: ({ holdPct }) => formatChangePct(holdPct) },
  {
    head: 'Worst drawdown',
    figure: true,
    quiet: true,
    cell: ({ maxDrawdownPct }) => `${formatFixed(-maxDrawdownPct, 1)}%`,
  },
  { head: 'Trades', figure: true, keep: true, cell: ({ trades }) => formatCount(trades) },
  { head: `Fees, ${quote}`, figure: true, quiet: true, cell: ({ fees }) => formatMoney(fees) },
]

/** The run by months or weeks: whether it earned evenly or once. */
export function PeriodsCard({ run, quote }: { run: BacktestRun; quote: string }) {
  const [kind, setKind] = useState<PeriodKind>('months')
  const hasSeen = run.seen.seen !== null
  return (
    <Card
      title={kind === 'months' ? 'Months' : 'Weeks'}
      facts={`after costs${hasSeen ? '; split where the model’s seen part ends' : ''}`}
      flush
      actions={
        <ToggleGroup
          label="Length of the periods"
          size="small"
          value={kind}
          onChange={setKind}
          choices={{ months: 'Months', weeks: 'Weeks' }}
        />
      }
    >
      <DataTable
        label={`The run by ${kind}`}
        columns={columnsOf(quote, hasSeen)}
        rows={run.periods[kind]}
        rowKey={(row) => row.from}
        rowName={(row) => formatDateRange(row.from, row.to)}
      />
    </Card>
  )
}
