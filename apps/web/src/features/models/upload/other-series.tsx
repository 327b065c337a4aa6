import type { BesideSeries } from '@shapecast/contracts/foreign-card'
import { type Series, seriesList } from '@shapecast/contracts/market'
import { Link as RouterLink } from 'react-router'
import { seriesFor } from '#entities/markets/market-range.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Link, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

interface Row {
  readonly symbol: string
  readonly timeframe: BesideSeries['timeframe']
  readonly role: string
  readonly stored: Series | undefined
}

const COLUMNS: readonly Column<Row>[] = [
  { head: 'Series', keep: true, whole: true, cell: ({ symbol, timeframe }) => `${symbol} ${timeframe}` },
  { head: 'For', quiet: true, cell: ({ role }) => role },
  {
    head: 'Stored here',
    keep: true,
    cell: ({ stored }) =>
      stored === undefined ? (
        <Text as="span" size="small" tone="warn">
          No candles
        </Text>
      ) : (
        `${formatDateRange(stored.first, stored.last)}${stored.gapCount > 0 ? `, ${formatCounted(stored.gapCount, 'gap')}` : ''}`
      ),
  },
  {
    head: '',
    keep: true,
    whole: true,
    cell: ({ symbol, timeframe, stored }) => (
      <Link as={RouterLink} to={paths.candles(symbol, timeframe)}>
        {stored === undefined ? 'Get candles' : 'Candles'}
      </Link>
    ),
  },
]

/** Of a model that looks at more than the series that it forecasts: each series, and whether its candles are stored here. */
export function OtherSeries({
  symbol,
  timeframe,
  beside,
}: {
  symbol: string
  timeframe: BesideSeries['timeframe']
  beside: readonly BesideSeries[]
}) {
  const known = useEndpointQuery(seriesList, {}, { enabled: beside.length > 0, staleTime: 30_000 }).data
  if (beside.length === 0 || known === undefined) return null
  const rowOf = (series: BesideSeries, role: string): Row => {
    const of = { symbol: series.symbol ?? symbol, timeframe: series.timeframe }
    return { ...of, role, stored: seriesFor(known, of.symbol, of.timeframe) }
  }
  const rows = [rowOf({ symbol, timeframe }, 'is forecast'), ...beside.map((series) => rowOf(series, 'is looked at'))]
  const missing = rows.filter(({ stored }) => stored === undefined).length
  return (
    <section aria-label="Series it needs">
      <Text size="small" tone={missing > 0 ? 'warn' : 'text2'} style={{ marginBottom: 4 }}>
        It needs {formatCounted(rows.length, 'series', 'series')}, each up to the candle that it forecasts from
        {missing > 0
          ? `: ${formatCounted(missing, 'series', 'series')} without candles here, so that there is no forecast.`
          : '.'}
      </Text>
      <DataTable
        label="Series it needs"
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => `${row.symbol} ${row.timeframe}`}
      />
    </section>
  )
}
