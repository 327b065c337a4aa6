import type { Evaluation } from '@shapecast/contracts/evaluation'
import { pctWords, spanWords } from '#entities/models/interval-words.ts'
import { directionOf, formatCounted, formatFixed, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatLimitPct } from '#kit/format/percent.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Note } from '#kit/ui/text.tsx'
import { directionColor } from '#kit/ui/tone.ts'
import { HowSure } from './how-sure.tsx'

interface PnlRow {
  readonly name: string
  readonly pnl: Evaluation['trading']['signal']
}

const COLUMNS: readonly Column<PnlRow>[] = [
  { id: 'name', head: 'Rule', cell: (row) => row.name, keep: true },
  { id: 'gross', head: 'Gross', cell: (row) => formatChangePct(row.pnl.grossPct), figure: true },
  { id: 'costs', head: 'Costs', cell: (row) => formatChangePct(-row.pnl.costsPct), figure: true },
  {
    id: 'net',
    head: 'Net',
    cell: (row) => (
      <span style={{ color: directionColor(directionOf(row.pnl.netPct)), fontWeight: 500 }}>
        {formatChangePct(row.pnl.netPct)}
      </span>
    ),
    figure: true,
    keep: true,
  },
  { id: 'turnover', head: 'Turnover', cell: (row) => formatFixed(row.pnl.turnover, 0), figure: true, quiet: true },
]

/** What trading the plain signal would have made over the hold-out: gross, costs and net apart. */
export function TradingCard({ evaluation: { trading, uncertainty } }: { evaluation: Evaluation }) {
  const rows: readonly PnlRow[] = [
    { name: 'Plain signal', pnl: trading.signal },
    { name: 'Buy and hold', pnl: trading.buyAndHold },
    { name: 'Flat', pnl: trading.flat },
  ]
  return (
    <Card
      title="Trading the plain signal"
      facts={`${formatCounted(trading.candles, 'candle')} · in and out costs ${formatLimitPct(trading.roundTripCostBps / 100)}`}
      flush
    >
      <DataTable
        label="Trading the plain signal"
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => row.name}
        rowName={(row) => row.name}
      />
      <Note as="p" style={{ padding: '4px 16px 14px' }}>
        Long after BUY, short after SELL, kept on HOLD, filled at closes. A backtest does this properly.
      </Note>
      {uncertainty !== undefined && (
        <div style={{ padding: '0 16px 14px' }}>
          <HowSure
            facts={[
              { label: 'Net', value: pctWords(trading.signal.netPct, uncertainty.tradedNetPct) },
              {
                label: 'Sharpe ratio of a year',
                value:
                  uncertainty.tradedSharpe === null
                    ? UNKNOWN
                    : `${formatFixed(uncertainty.tradedSharpe.value, 2)} (${spanWords(uncertainty.tradedSharpe.interval)})`,
              },
            ]}
          />
        </div>
      )}
    </Card>
  )
}
