import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { downloadFunding, type Funding, fundingCarry, fundingList, importFunding } from '@shapecast/contracts/funding'
import { SymbolId } from '@shapecast/contracts/market'
import { useState } from 'react'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { DataTable, type Column as TableColumn } from '#kit/ui/data-table.tsx'
import { FileDrop } from '#kit/ui/file-drop.tsx'
import { Column, Gain, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import { formOf, KINDS, SymbolField } from '../import/import-card.tsx'

/** Binance's first perpetual future began in September 2019. */
const FIRST_FUNDING_MS = Date.UTC(2019, 8, 1)
const MOST_SHOWN = 3

/** What is known of funding rates, and bringing more in: from a file, or from the market where that is an exchange. Managers. */
export function FundingCard({ coin, isExchange }: { coin: string; isExchange: boolean }) {
  const [symbol, setSymbol] = useState(coin)
  const [file, setFile] = useState<File | null>(null)
  const [carryOf, setCarryOf] = useState<string | null>(null)
  const stored = useEndpointQuery(fundingList, {})
  const upload = useEndpointMutation(importFunding)
  const download = useEndpointMutation(downloadFunding)
  const named = SymbolId.safeParse(symbol)
  const send = () =>
    file !== null && named.success && upload.mutate({ query: { symbol: named.data }, form: formOf(file) })
  const fetchAll = () => named.success && download.mutate({ body: { symbol: named.data, from: FIRST_FUNDING_MS } })
  return (
    <Card
      title="Funding rates"
      facts="what holders of futures pay each other; backtests and virtual bots are charged it"
    >
      <Column gap={1.5}>
        <Row gap={1.5} wrap>
          <div style={{ flex: '1 1 260px', minWidth: 0 }}>
            <FileDrop
              label="File of funding rates"
              prompt="Drop a file of funding rates here, or choose one"
              hint="CSV, .gz or .zip: Binance's archive, or time,rate"
              accept={KINDS}
              file={file}
              onFiles={([first]) => {
                if (first === undefined) return
                setFile(first)
                upload.reset()
              }}
            />
          </div>
          <div style={{ flex: '0 1 180px', minWidth: 0 }}>
            <SymbolField label="Symbol of the rates" symbol={symbol} onChange={setSymbol} />
          </div>
          <Button
            disabled={file === null || !named.success}
            title={file === null ? 'Choose a file first' : undefined}
            {...busyButton(upload.isPending, send)}
          >
            {upload.isPending ? 'Importing…' : 'Import rates'}
          </Button>
          {isExchange && (
            <Button variant="text" disabled={!named.success} {...busyButton(download.isPending, fetchAll)}>
              {download.isPending ? 'Downloading…' : 'Download all rates'}
            </Button>
          )}
        </Row>
        <FailedChange change={upload.isError ? upload : download} text="The rates could not be brought in" />
        {stored.data?.map((one) => (
          <Column key={one.symbol} gap={0.5}>
            <Row gap={1} wrap>
              <Text size="small" tone="text2">
                <b>{one.symbol}</b> {knownWords(one)}
              </Text>
              <Button
                size="small"
                variant="text"
                aria-expanded={carryOf === one.symbol}
                aria-label={`Carry of ${one.symbol}`}
                onClick={() => setCarryOf(carryOf === one.symbol ? null : one.symbol)}
              >
                Carry
              </Button>
            </Row>
            {carryOf === one.symbol && <CarryTable symbol={one.symbol} />}
          </Column>
        ))}
        {stored.data?.length === 0 && (
          <Text size="small" tone="text2">
            None are stored: futures backtests and virtual bots leave funding out.
          </Text>
        )}
      </Column>
    </Card>
  )
}

/** Which stretches are known: `5,000 rates, 1 Jan – 3 Mar and 5 Mar – 9 Mar; between them 0.01% every 8 hours is assumed`. */
export function knownWords({ rates, known }: Pick<Funding, 'rates' | 'known'>): string {
  const newest = known.slice(-MOST_SHOWN).map(({ from, to }) => formatDateRange(from, to))
  const others = known.length - newest.length
  const earlier = others > 0 ? `${formatCounted(others, 'earlier stretch', 'earlier stretches')}, ` : ''
  const gaps = known.length > 1 ? '; in the gaps 0.01% every 8 hours is assumed' : ''
  return `${formatCounted(rates, 'rate')}: ${earlier}${newest.join(', ')}${gaps}`
}

type CarryYear = ReplyOf<typeof fundingCarry>[number]

/** What holding a coin and selling as much of its future would have come to, by year. */
export function CarryTable({ symbol }: { symbol: string }) {
  const carry = useEndpointQuery(fundingCarry, { params: { symbol }, query: {} })
  if (carry.isError) return <Text tone="warn">{errorText(carry.error, 'The carry could not be loaded')}</Text>
  return (
    <Column gap={0.5}>
      <DataTable
        label={`Carry of ${symbol} by year`}
        columns={COLUMNS}
        rows={carry.data ?? []}
        rowKey={({ year }) => year}
        rowName={({ year }) => String(year)}
      />
      <Note as="p">
        Holding the coin and selling as much of its future: prices cancel out, funding stays. Net is after one entry and
        one exit of both (fee 0.06% and 5 bps each) on capital of twice the notional: the coin, and as much again as
        margin. Not in it: what the gap between spot and future wins or loses, a margin call when the price doubles, and
        the risk of the exchange itself. Measured on past rates, no forecast.
      </Note>
    </Column>
  )
}

const COLUMNS: TableColumn<CarryYear>[] = [
  { head: 'Year', keep: true, cell: ({ year }) => year },
  { head: 'Rates known', figure: true, quiet: true, cell: ({ known }) => formatSharePct(100 * known) },
  { head: 'Settlements', figure: true, quiet: true, cell: ({ settlements }) => formatCount(settlements) },
  { head: 'Paid instead of received', figure: true, cell: ({ paid }) => formatSharePct(100 * paid) },
  { head: 'All rates', figure: true, cell: ({ rates }) => formatChangePct(100 * rates) },
  { head: 'Net on capital', figure: true, keep: true, cell: ({ net }) => <Gain of={100 * net} /> },
]
