import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { Trade } from '@shapecast/contracts/backtest-results'
import type { Market } from '@shapecast/contracts/market'
import { SideMark } from '#entities/bots/bot-chips.tsx'
import { exitWords, heldWords } from '#entities/bots/trade-words.ts'
import { formatMoney, formatPnl, formatPrice, formatQuantity } from '#kit/format/money.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatTableTime, formatTableTimeYear, zoneWords } from '#kit/format/time.ts'
import { useFirstRows } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Gain, Note } from '#kit/ui/primitives.tsx'
import { useIsNarrow } from '#kit/ui/use-is-narrow.ts'
import { CsvButton } from '#wire/ui/csv-button.tsx'
import { assetsOf } from '../../run/use-parameters.ts'
import { fetchTrades, tradesName } from '../use-saved-runs.ts'

function columnsOf(
  market: Market | undefined,
  quote: string,
  time: (ms: number) => string,
  several: boolean,
): Column<Trade>[] {
  return [
    ...(several ? [{ head: 'Pair', keep: true, cell: (trade: Trade) => trade.symbol }] : []),
    { head: 'Side', keep: true, cell: (trade) => <SideMark side={trade.side} /> },
    { head: 'Entry time', quiet: true, cell: (trade) => time(trade.entryTime) },
    { head: 'Exit time', keep: true, whole: true, quiet: true, cell: (trade) => time(trade.exitTime) },
    { head: 'Entry price', figure: true, cell: (trade) => formatPrice(trade.entryPrice, market?.tickSize) },
    { head: 'Exit price', figure: true, cell: (trade) => formatPrice(trade.exitPrice, market?.tickSize) },
    { head: 'Quantity', figure: true, cell: (trade) => formatQuantity(trade.quantity, market?.lotSize) },
    {
      head: `Net PnL, ${quote}`,
      figure: true,
      keep: true,
      cell: ({ netPnL }) => <Gain strong of={netPnL} write={formatPnl} />,
    },
    { head: 'Duration', figure: true, quiet: true, cell: heldWords },
    { head: 'Exit reason', quiet: true, cell: exitWords },
    { head: `Fees, ${quote}`, figure: true, quiet: true, cell: (trade) => formatMoney(trade.fees) },
  ]
}

const FIRST_SHOWN = { wide: 12, narrow: 6 } as const

/** The last 50 trades, the newest first. A press on one moves the chart to it. */
export function TradesCard({
  run,
  market,
  onShow,
}: {
  run: BacktestRun
  market: Market | undefined
  onShow: (trade: Trade) => void
}) {
  const { quote } = assetsOf(run.symbol, market)
  const rows = lastTrades(run.trades)
  const { shown, foot } = useFirstRows(rows, FIRST_SHOWN[useIsNarrow() ? 'narrow' : 'wide'])
  const time = sameYear(rows) ? formatTableTime : formatTableTimeYear
  const total = Math.max(run.metrics.trades, run.trades.length)
  return (
    <Card
      title="Trades"
      facts={total > rows.length ? `Last ${formatCount(rows.length)} of ${formatCount(total)}` : formatCount(total)}
      actions={
        <>
          <Note>Times in {zoneWords()}</Note>
          {run.trades.length > 0 && (
            <CsvButton of="trades" fetchFile={() => fetchTrades(run._id)} fallbackName={tradesName(run._id)} />
          )}
        </>
      }
      flush
    >
      {rows.length === 0 ? (
        <EmptyLine>No trade was made in this range.</EmptyLine>
      ) : (
        <DataTable
          label="Last trades"
          columns={columnsOf(market, quote, time, run.symbols !== undefined)}
          rows={shown}
          onRow={{ words: 'Show on the chart', press: onShow }}
          rowKey={(trade, index) => `${trade.entryTime} ${trade.exitTime} ${index}`}
          rowName={(trade) => `the ${trade.side} trade of ${time(trade.entryTime)}`}
        />
      )}
      {foot}
    </Card>
  )
}

const SHOWN_TRADES = 50

/** The last 50 trades, the one that was closed last first. */
export const lastTrades = (trades: readonly Trade[]): Trade[] => trades.slice(-SHOWN_TRADES).reverse()

/** Whether every time of the trades lies in one year, so that it need not be written. */
export function sameYear(trades: readonly Pick<Trade, 'entryTime' | 'exitTime'>[]): boolean {
  const times = trades.flatMap(({ entryTime, exitTime }) => [entryTime, exitTime])
  return new Set(times.map((ms) => new Date(ms).getUTCFullYear())).size <= 1
}
