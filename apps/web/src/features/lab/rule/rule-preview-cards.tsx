import type { Trade } from '@shapecast/contracts/backtest'
import type { MarketType } from '@shapecast/contracts/bots'
import type { RulePreview } from '@shapecast/contracts/rules'
import { useMemo, useState } from 'react'
import { BacktestChart } from '#charts/backtest-chart/backtest-chart.tsx'
import { BACKTEST_LEGEND, ChartLegend } from '#charts/backtest-chart/chart-legend.tsx'
import { EntriesVerdict } from '#charts/entries-verdict.tsx'
import { exitWords, heldWords } from '#entities/bots/trade-words.ts'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { FundingLine } from '#entities/runs/funding-line.tsx'
import { useRunCandles } from '#entities/runs/run-candles.ts'
import { formatPrice } from '#kit/format/money.ts'
import { directionOf, formatCount, formatCounted } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { formatDateRange, formatTableTimeYear } from '#kit/format/time.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { Evidence } from '#kit/ui/evidence.tsx'
import { ShowAll } from '#kit/ui/show-all.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { directionColor } from '#kit/ui/tone.ts'

/** What a rule would have done, in a sentence and four figures. */
export function RulePreviewVerdict({ preview, isOld }: { preview: RulePreview; isOld: boolean }) {
  const { metrics, investedPct, randomEntries, trials } = preview
  return (
    <EntriesVerdict entries={randomEntries} isBusy={isOld}>
      <Evidence label="Trades" value={formatCount(metrics.trades)}>
        won {formatSharePct(metrics.winRate)}
      </Evidence>
      <Evidence label="Time invested" value={formatSharePct(investedPct)}>
        {formatCounted(preview.candles, 'candle')}
      </Evidence>
      <Evidence label="Net return" value={formatChangePct(metrics.totalReturnPct)}>
        holding {formatChangePct(metrics.buyAndHoldReturnPct)}
      </Evidence>
      <Evidence label="Tries" value={formatCount(trials.count)}>
        on {preview.symbol} {preview.timeframe}
      </Evidence>
    </EntriesVerdict>
  )
}

/** Where a rule would have acted, and its trades. */
export function RulePreviewCards({
  preview,
  initialBalance,
  marketType,
}: {
  preview: RulePreview
  initialBalance: number
  marketType: MarketType
}) {
  const { symbol, timeframe, from, to, trades, equityCurve } = preview
  const market = useMarketOf(symbol)
  const [lookAt, setLookAt] = useState<{ fromMs: number; toMs: number } | null>(null)
  const candles = useRunCandles({ symbol, timeframe, startTime: from, endTime: to }, true)
  const rows = candles.data?.rows
  const input = useMemo(
    () =>
      rows === undefined || rows.length === 0
        ? null
        : { candles: rows, trades, openPosition: null, equity: equityCurve, predictions: [], initialBalance, seen: [] },
    [rows, trades, equityCurve, initialBalance],
  )
  return (
    <>
      <FundingLine marketType={marketType} assumed={preview.fundingAssumed} />
      <Card title="Where it would have acted" facts={formatDateRange(from, to)}>
        <ChartLegend items={LEGEND} />
        {input !== null ? (
          <BacktestChart
            input={input}
            tickSize={market?.tickSize}
            quote={market?.quote ?? 'USDT'}
            summary={`${symbol} ${timeframe}, ${formatDateRange(from, to)}: ${formatCounted(preview.metrics.trades, 'trade')}, ${formatChangePct(preview.metrics.totalReturnPct)}.`}
            lookAt={lookAt}
          />
        ) : candles.isPending ? (
          <SkeletonGroup label="Loading the chart">
            <SkeletonBox height={480} />
          </SkeletonGroup>
        ) : (
          <Text tone="text2">{candles.error?.message ?? 'No candles are stored for this range.'}</Text>
        )}
        <Note as="p" above={1}>
          The last {formatCounted(preview.hiddenCandles, 'candle')} stay hidden here, a fifth of all: a rule that was
          shaped by looking at them could not be judged by them.
        </Note>
      </Card>
      <TradeList
        preview={preview}
        tickSize={market?.tickSize}
        onShow={({ entryTime, exitTime }) => setLookAt({ fromMs: entryTime, toMs: exitTime })}
      />
    </>
  )
}

const LEGEND = BACKTEST_LEGEND.filter(({ pattern }) => pattern !== 'lstm')
const FIRST_SHOWN = 5

function TradeList({
  preview: { trades, metrics },
  tickSize,
  onShow,
}: {
  preview: RulePreview
  tickSize: number | undefined
  onShow: (trade: Trade) => void
}) {
  const [areAllShown, setAreAllShown] = useState(false)
  const rows = useMemo(() => trades.toReversed(), [trades])
  const columns: Column<Trade>[] = [
    {
      id: 'entered',
      head: 'Entered',
      cell: ({ entryTime }) => formatTableTimeYear(entryTime),
      keep: true,
      whole: true,
    },
    { id: 'left', head: 'Left', cell: ({ exitTime }) => formatTableTimeYear(exitTime), whole: true, quiet: true },
    { id: 'held', head: 'Duration', cell: heldWords, figure: true, quiet: true },
    { id: 'entry', head: 'Entry price', cell: ({ entryPrice }) => formatPrice(entryPrice, tickSize), figure: true },
    { id: 'exit', head: 'Exit price', cell: ({ exitPrice }) => formatPrice(exitPrice, tickSize), figure: true },
    {
      id: 'net',
      head: 'Net, %',
      figure: true,
      keep: true,
      cell: (trade) => (
        <span style={{ fontWeight: 500, color: directionColor(directionOf(trade.netPnL)) }}>
          {formatChangePct((100 * trade.netPnL) / (trade.entryPrice * trade.quantity))}
        </span>
      ),
    },
    { id: 'why', head: 'Why it left', cell: exitWords, quiet: true },
  ]
  return (
    <Card
      title="Last trades"
      facts={`${formatCount(areAllShown ? rows.length : Math.min(FIRST_SHOWN, rows.length))} of ${formatCount(metrics.trades)}`}
      actions={<Note>Times in {zoneWords()}</Note>}
      flush
    >
      {rows.length === 0 ? (
        <EmptyLine>No trade was made on these candles.</EmptyLine>
      ) : (
        <DataTable
          label="Last trades of the rule"
          columns={columns}
          rows={areAllShown ? rows : rows.slice(0, FIRST_SHOWN)}
          rowKey={({ entryTime, exitTime }, k) => `${entryTime} ${exitTime} ${k}`}
          rowName={({ entryTime }) => `the trade of ${formatTableTimeYear(entryTime)}`}
          onRow={{ words: 'Show on the chart', press: onShow }}
        />
      )}
      {rows.length > FIRST_SHOWN && !areAllShown && (
        <ShowAll onClick={() => setAreAllShown(true)}>{`Show all ${formatCount(rows.length)}`}</ShowAll>
      )}
    </Card>
  )
}
