import { importCandles, SymbolId } from '@shapecast/contracts/market'
import { TIMEFRAMES, Timeframe } from '@shapecast/contracts/timeframes'
import { memo, useState } from 'react'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Checkbox } from '#kit/ui/checkbox.tsx'
import { FileDrop } from '#kit/ui/file-drop.tsx'
import { Column, Columns, Row } from '#kit/ui/layout.tsx'
import { ProgressLine } from '#kit/ui/progress-bar.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { Text } from '#kit/ui/text.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import css from './import-card.module.css'
import { ImportReportView } from './import-report.tsx'

const KINDS = '.csv,.gz,.zip,text/csv,application/gzip,application/zip'
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
  const isSymbolWrong = symbol !== '' && !named.success
  const take = (chosen: File) => {
    const guessed = seriesOfFileName(chosen.name)
    setFile(chosen)
    if (guessed.symbol !== null) setSymbol(guessed.symbol)
    if (guessed.timeframe !== null) setTimeframe(guessed.timeframe)
    upload.reset()
  }
  const start = () => {
    if (file === null || !named.success) return
    const form = new FormData()
    form.append('file', file)
    upload.mutate({
      query: { symbol: named.data, timeframe, skipBadRows: String(skipBadRows), replace: String(replace) },
      form,
    })
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
          <TextField
            label="Symbol"
            value={symbol}
            onChange={(event) => setSymbol(event.target.value.toUpperCase())}
            placeholder="BTCUSDT"
            autoComplete="off"
            error={isSymbolWrong ? 'Without slashes, such as BTCUSDT' : undefined}
          />
          <SelectField label="Timeframe" value={timeframe} onChange={setTimeframe} options={timeframeOptions} />
        </Columns>
        <Row gap={1} wrap>
          <Checkbox
            label={
              <Text as="span" tone="text2">
                Skip bad rows
              </Text>
            }
            checked={skipBadRows}
            onChange={setSkipBadRows}
          />
          <Checkbox
            label={
              <Text as="span" tone="text2">
                Replace differing candles
              </Text>
            }
            checked={replace}
            onChange={setReplace}
          />
          <Button
            disabled={file === null || !named.success}
            title={file === null ? 'Choose a file first' : named.success ? undefined : 'Name the symbol first'}
            {...busyButton(upload.isPending, start, css.send)}
          >
            {upload.isPending ? 'Importing…' : 'Import'}
          </Button>
        </Row>
        {upload.isPending && <ProgressLine aria-label={`Importing ${file?.name ?? 'the file'}`} />}
        {upload.isError && (
          <Banner
            kind="error"
            title={errorText(upload.error, 'The file could not be imported')}
            onDismiss={upload.reset}
          >
            {errorDetail(upload.error)}
          </Banner>
        )}
        {upload.data !== undefined && <ImportReportView report={upload.data} />}
      </Column>
    </Card>
  )
})

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
