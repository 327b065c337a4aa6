import type { ImportReport } from '@shapecast/contracts/market'
import type { ReactNode } from 'react'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatDateTime, formatTableTimeYear, zoneWords } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note } from '#kit/ui/text.tsx'
import { useHealth } from '#wire/calls/use-health.ts'
import css from './import-card.module.css'

type Gap = ImportReport['gaps'][number]
type Refused = ImportReport['refused'][number]

const GAP_COLUMNS: readonly Column<Gap>[] = [
  {
    id: 'from',
    get head() {
      return `First missing, ${zoneWords()}`
    },
    cell: (gap) => formatTableTimeYear(gap.from),
    keep: true,
    whole: true,
  },
  {
    id: 'to',
    get head() {
      return `Last missing, ${zoneWords()}`
    },
    cell: (gap) => formatTableTimeYear(gap.to),
  },
  { id: 'missing', head: 'Candles', cell: (gap) => formatCount(gap.missing), figure: true, keep: true },
]
const REFUSED_COLUMNS: readonly Column<Refused>[] = [
  { id: 'line', head: 'Line', cell: (row) => formatCount(row.line), figure: true, keep: true },
  { id: 'reason', head: 'Reason', cell: (row) => <Wrapped>{row.reason}</Wrapped>, keep: true },
  { id: 'text', head: 'Row', cell: (row) => <Wrapped>{row.text}</Wrapped>, quiet: true },
]

const Wrapped = ({ children }: { children: string }) => <span className={css.wrapped}>{children}</span>

/** A list that opens: gaps, refused rows. */
function Opened({ summary, isOpen = false, children }: { summary: string; isOpen?: boolean; children: ReactNode }) {
  return (
    <details open={isOpen} className={css.opened}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}

const shownOf = (shown: number, all: number) => (shown < all ? `, the first ${formatCount(shown)} listed` : '')

/** What became of an import: whether it was taken, the counts, the gaps, and the rows that were refused with why. */
export function ImportReportView({ report }: { report: ImportReport }) {
  const health = useHealth()
  const market = health.data?.venue
  const what = `${report.symbol} ${report.timeframe} at ${report.venue}`
  return (
    <div className={layout.formFields}>
      {report.accepted ? (
        <Banner kind="info" title={`Imported ${formatCounted(report.taken, 'candle')} of ${what}`}>
          {report.taken === 0 ? 'Every candle of the file was there already.' : `From ${report.file}.`}
          {market !== undefined &&
            market !== report.venue &&
            ` This market is ${market}, which does not use them: set MARKET=${report.venue} and start the server again.`}
        </Banner>
      ) : (
        <Banner kind="error" title={`${report.file} was not imported: nothing has changed`}>
          {report.problems.length > 0
            ? report.problems.join(' ')
            : 'Some rows were refused. Correct them, or skip bad rows.'}
        </Banner>
      )}
      <div className={layout.halves}>
        <Facts
          well
          facts={[
            { label: 'Rows read', value: formatCount(report.rowsRead) },
            { label: 'New candles', value: formatCount(report.taken) },
            { label: 'There already', value: formatCount(report.alreadyStored) },
            { label: 'Repeated rows', value: formatCount(report.duplicates) },
            { label: 'With other values', value: formatCount(report.differing) },
          ]}
        />
        <Facts
          well
          facts={[
            { label: 'First candle', value: formatDateTime(report.first, 0) },
            { label: 'Last candle', value: formatDateTime(report.last, 0) },
            {
              label: 'Gaps',
              value: `${formatCount(report.gapCount)} · ${formatCounted(report.missingCandles, 'candle')} missing`,
            },
            { label: 'Refused rows', value: formatCount(report.refusedCount) },
            { label: 'Read as', value: `${report.dialect}, times in ${report.timeUnit}` },
          ]}
        />
      </div>
      {report.gaps.length > 0 && (
        <Opened summary={`Gaps: ${formatCount(report.gapCount)}${shownOf(report.gaps.length, report.gapCount)}`}>
          <div className={css.scroll}>
            <DataTable
              label="Gaps"
              columns={GAP_COLUMNS}
              rows={report.gaps}
              rowKey={(gap) => gap.from}
              rowName={(gap) => `the gap of ${formatTableTimeYear(gap.from)}`}
            />
          </div>
        </Opened>
      )}
      {report.refused.length > 0 && (
        <Opened
          isOpen={!report.accepted}
          summary={`Refused rows: ${formatCount(report.refusedCount)}${shownOf(report.refused.length, report.refusedCount)}`}
        >
          <div className={css.scroll}>
            <DataTable
              label="Refused rows"
              columns={REFUSED_COLUMNS}
              rows={report.refused}
              rowKey={(row) => `${row.entry ?? ''}:${row.line}`}
              rowName={(row) => `line ${row.line}`}
            />
          </div>
        </Opened>
      )}
      {report.accepted && <Note as="span">Importing the same file again changes nothing.</Note>}
    </div>
  )
}
