import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import type { RunComparison } from '@shapecast/contracts/run-comparison'
import { runName } from '@shapecast/contracts/run-name'
import { type LineLook, LinePattern } from '#charts/legend-pattern.tsx'
import { formatMoney } from '#kit/format/money.ts'
import { formatLeverage, formatSigned, UNKNOWN } from '#kit/format/number.ts'
import { formatBps, formatFeeRate, formatLimitPct } from '#kit/format/percent.ts'
import { formatDateRange, formatDay, formatMonth } from '#kit/format/time.ts'
import { Card } from '#kit/ui/card.tsx'
import { DataTable } from '#kit/ui/data-table.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { runModelText, runSizeWords } from '../run-summary.ts'
import css from './compare-panel.module.css'

type Curve = RunComparison['curves'][number]

/** The curve of a run, or of holding the coin, with its name and its line. */
export interface NamedCurve extends Curve {
  readonly name: string
  readonly look: LineLook
}

export const NameCell = ({ name, look }: { name: string; look: LineLook }) => (
  <Row as="span" gap={1}>
    <LinePattern look={look} />
    {name}
  </Row>
)

/** `Nov 2026`; `from 6 Nov` where the unseen stretch begins in its midst, at `border`. */
export const monthName = (from: number, border: number): string =>
  from === border && new Date(from).getUTCDate() > 1 ? `from ${formatDay(from)}` : formatMonth(from)

/** The return of each month; those that a model had seen stand apart. */
export function MonthsCard({
  months,
  curves,
  from,
}: {
  months: RunComparison['months']
  curves: readonly NamedCurve[]
  /** Where the unseen stretch begins, ms. */
  from: number
}) {
  return (
    <Card title="Months" facts="percent, after costs" flush>
      <DataTable
        label="Months"
        columns={[
          { head: 'Run', keep: true, cell: (row: NamedCurve) => <NameCell {...row} /> },
          ...months.map(({ from: start, isSeen }, i) => ({
            head: isSeen ? `${monthName(start, from)}, seen` : monthName(start, from),
            figure: true,
            quiet: isSeen,
            keep: i === months.length - 1,
            cell: ({ monthsPct }: NamedCurve) => formatSigned(monthsPct[i] ?? null, 1),
          })),
        ]}
        rows={curves}
        rowKey={({ runId }) => runId ?? ''}
        rowName={({ name }) => name}
      />
    </Card>
  )
}

/** What the runs were set to: what differs first, then in one line what is the same. */
export function Differences({ runs }: { runs: readonly BacktestRunSummary[] }) {
  const rows = settingRows(runs)
  const names = comparedNames(runs)
  const differing = rows.filter(({ differs }) => differs)
  const same = rows.filter(({ differs }) => !differs)
  return (
    <Card title="What differs" flush>
      {differing.length > 0 && (
        <DataTable
          label="What differs"
          columns={[
            { head: 'Setting', keep: true, quiet: true, cell: ({ label }) => label },
            ...runs.map((_, i) => ({
              head: names[i]!,
              keep: i < 2,
              cell: ({ values }: (typeof differing)[number]) => (
                <span className={css.differing}>{values[i] ?? UNKNOWN}</span>
              ),
            })),
          ]}
          rows={differing}
          rowKey={({ label }) => label}
        />
      )}
      <Text size="small" tone="text2" style={{ padding: '12px 16px' }}>
        The same: {same.map(({ label, values }) => `${label.toLowerCase()} ${values[0]}`).join(', ')}.
      </Text>
    </Card>
  )
}

/** What the runs are called beside each other: where several have one name, with a setting that tells them apart. */
export function comparedNames(runs: readonly BacktestRunSummary[]): string[] {
  const names = runs.map(runName)
  const rows = settingRows(runs)
  return names.map((name, i) => {
    const same = names.flatMap((other, k) => (other === name ? [k] : []))
    if (same.length === 1) return name
    const row = rows.find(({ values }) => new Set(same.map((k) => values[k])).size === same.length)
    return row === undefined
      ? `${name} (${same.indexOf(i) + 1})`
      : `${name}, ${row.label.toLowerCase()} ${row.values[i]}`
  })
}

/** Settings of the runs, row by row; `differs` where they are not all the same. */
export function settingRows(runs: readonly BacktestRunSummary[]) {
  const settings: [string, (run: BacktestRunSummary) => string][] = [
    ['Model', (run) => runModelText(run.params) ?? '—'],
    ['Market', ({ params }) => (params.marketType === 'spot' ? 'Spot' : `Futures ${formatLeverage(params.leverage)}`)],
    ['Position size', (run) => runSizeWords(run)],
    ['Initial balance', (run) => formatMoney(run.initialBalance)],
    ['Max drawdown', ({ params }) => formatLimitPct(params.maxDrawdown)],
    ['Range', (run) => formatDateRange(run.startTime, run.endTime)],
    ['Fee', ({ params }) => formatFeeRate(params.feeRate)],
    ['Slippage', ({ params }) => formatBps(params.slippageBps)],
  ]
  return settings.map(([label, text]) => {
    const values = runs.map(text)
    return { label, values, differs: new Set(values).size > 1 }
  })
}
