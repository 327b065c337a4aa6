import { type ImportReport, importCandles, SymbolId } from '@shapecast/contracts/market'
import { TIMEFRAMES, Timeframe } from '@shapecast/contracts/timeframes'
import { memo, type ReactNode, useState } from 'react'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatDateTime, formatTableTimeYear, zoneWords } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Checkbox } from '#kit/ui/checkbox.tsx'
import { DataTable, type Column as TableColumn } from '#kit/ui/data-table.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import { FileDrop } from '#kit/ui/file-drop.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Columns, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { ProgressLine } from '#kit/ui/progress-bar.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import css from './import-card.module.css'

/** Of files of candles or rates. */
export const KINDS = '.csv,.gz,.zip,text/csv,application/gzip,application/zip'
const timeframeOptions = TIMEFRAMES.map((timeframe) => ({ value: timeframe, label: timeframe }))

/** Brings history in: a file, what it holds, and what to do with bad rows and differing candles. Managers. */
export const ImportCard = memo(function ImportCard() {
  const [file, setFile] = useState<File | null>(null)
  const [symbol, setSymbol] = useState('')
  const [timeframe, setTimeframe] = useState<Timeframe>('1h')
  const [skipBadRows, setSkipBadRows] = useState(false)
  const [replace, setReplace] = useState(false)
  const upload = useEndpointMutation(importCandles)
  const named = SymbolId.safeParse(symbol)
  const take = (chosen: File) => {
    const guessed = seriesOfFileName(chosen.name)
    setFile(chosen)
    if (guessed.symbol !== null) setSymbol(guessed.symbol)
    if (guessed.timeframe !== null) setTimeframe(guessed.timeframe)
    upload.reset()
  }
  const start = () => {
    const query = { timeframe, skipBadRows: String(skipBadRows), replace: String(replace) }
    if (file !== null && named.success) upload.mutate({ query: { symbol: named.data, ...query }, form: formOf(file) })
  }
  return (
    <Card title="Import candles" facts="all of a file is taken, or nothing">
      <Column gap={1.5}>
        <Columns gap={1.5} align="end" at={{ xs: 2, md: 'minmax(0, 1fr) 160px 112px' }} className={css.fields}>
          <FileDrop
            label="File of candles"
            prompt="Drop a file of candles here, or choose one"
            hint="CSV, .gz or .zip: ours, Binance klines, CryptoDataDownload"
            accept={KINDS}
            file={file}
            onFiles={([first]) => first !== undefined && take(first)}
          />
          <SymbolField label="Symbol" symbol={symbol} onChange={setSymbol} placeholder="BTCUSDT" />
          <SelectField label="Timeframe" value={timeframe} onChange={setTimeframe} options={timeframeOptions} />
        </Columns>
        <Row gap={1} wrap>
          <Option label="Skip bad rows" checked={skipBadRows} onChange={setSkipBadRows} />
          <Option label="Replace differing candles" checked={replace} onChange={setReplace} />
          <Button
            disabled={file === null || !named.success}
            title={file === null ? 'Choose a file first' : named.success ? undefined : 'Name the symbol first'}
            {...busyButton(upload.isPending, start, css.send)}
          >
            {upload.isPending ? 'Importing…' : 'Import'}
          </Button>
        </Row>
        {upload.isPending && <ProgressLine aria-label={`Importing ${file?.name ?? 'the file'}`} />}
        <FailedChange change={upload} text="The file could not be imported" />
        {upload.data !== undefined && <ImportReportView report={upload.data} />}
      </Column>
    </Card>
  )
})

/** A symbol as it is typed. */
export const SymbolField = ({
  symbol,
  onChange,
  ...texts
}: {
  label: string
  symbol: string
  onChange: (symbol: string) => void
  placeholder?: string
}) => (
  <TextField
    {...texts}
    value={symbol}
    onChange={({ target }) => onChange(target.value.toUpperCase())}
    autoComplete="off"
    error={symbol !== '' && !SymbolId.safeParse(symbol).success ? 'Without slashes, such as BTCUSDT' : undefined}
  />
)

/** A file as it is sent. */
export function formOf(file: File): FormData {
  const form = new FormData()
  form.append('file', file)
  return form
}

const Option = ({ label, ...box }: { label: string; checked: boolean; onChange: (isOn: boolean) => void }) => (
  <Checkbox
    {...box}
    label={
      <Text as="span" tone="text2">
        {label}
      </Text>
    }
  />
)

/**
 * Symbol and timeframe as a file's name gives them: `BTCUSDT-1h-2023-01.zip`, `Binance_ETHUSDT_1h.csv`. A guess to fill
 * the fields with; null where the name says nothing.
 */
export function seriesOfFileName(name: string): { symbol: string | null; timeframe: Timeframe | null } {
  const parts = name.split(/[^A-Za-z0-9]+/)
  const timeframe = parts.map((part) => part.toLowerCase()).find((part) => TIMEFRAMES.some((one) => one === part))
  const symbol = parts.find((part) => /^[A-Z0-9]{2,20}(USDT|USDC|BUSD|USD|EUR|BTC)$/.test(part.toUpperCase()))
  return { symbol: symbol?.toUpperCase() ?? null, timeframe: Timeframe.safeParse(timeframe).data ?? null }
}

const gapColumns = (): readonly TableColumn<ImportReport['gaps'][number]>[] => [
  { head: `First missing, ${zoneWords()}`, cell: (gap) => formatTableTimeYear(gap.from), keep: true, whole: true },
  { head: `Last missing, ${zoneWords()}`, cell: (gap) => formatTableTimeYear(gap.to) },
  { head: 'Candles', cell: (gap) => formatCount(gap.missing), figure: true, keep: true },
]
const REFUSED_COLUMNS: readonly TableColumn<ImportReport['refused'][number]>[] = [
  { head: 'Line', cell: (row) => formatCount(row.line), figure: true, keep: true },
  { head: 'Reason', cell: (row) => <Wrapped>{row.reason}</Wrapped>, keep: true },
  { head: 'Row', cell: (row) => <Wrapped>{row.text}</Wrapped>, quiet: true },
]

const Wrapped = ({ children }: { children: string }) => <span className={css.wrapped}>{children}</span>

const Opened = ({
  what,
  all,
  listed,
  isOpen = false,
  children,
}: {
  what: string
  all: number
  listed: number
  isOpen?: boolean
  children: ReactNode
}) => (
  <details open={isOpen} className={css.opened}>
    <summary>
      {what}: {formatCount(all)}
      {listed < all && `, the first ${formatCount(listed)} listed`}
    </summary>
    <div className={css.scroll}>{children}</div>
  </details>
)

/** What became of an import: whether it was taken, the counts, the gaps, and the rows that were refused with why. */
export function ImportReportView({ report }: { report: ImportReport }) {
  const market = useHealth().data?.venue
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
        <Opened what="Gaps" all={report.gapCount} listed={report.gaps.length}>
          <DataTable
            label="Gaps"
            columns={gapColumns()}
            rows={report.gaps}
            rowKey={(gap) => gap.from}
            rowName={(gap) => `the gap of ${formatTableTimeYear(gap.from)}`}
          />
        </Opened>
      )}
      {report.refused.length > 0 && (
        <Opened what="Refused rows" all={report.refusedCount} listed={report.refused.length} isOpen={!report.accepted}>
          <DataTable
            label="Refused rows"
            columns={REFUSED_COLUMNS}
            rows={report.refused}
            rowKey={(row) => `${row.entry ?? ''}:${row.line}`}
            rowName={(row) => `line ${row.line}`}
          />
        </Opened>
      )}
      {report.accepted && <Note as="span">Importing the same file again changes nothing.</Note>}
    </div>
  )
}
