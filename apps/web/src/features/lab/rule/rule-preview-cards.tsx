import type { Trade } from '@shapecast/contracts/backtest-results'
import type { RulePreview } from '@shapecast/contracts/rules'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { loadedCandles } from '@shapecast/engine/rules/look-back'
import type { Rule } from '@shapecast/engine/rules/tree'
import { useMemo, useState } from 'react'
import { BacktestChart } from '#charts/backtest-chart/backtest-chart.tsx'
import { BACKTEST_LEGEND, ChartLegend } from '#charts/backtest-chart/chart-legend.tsx'
import { EntriesVerdict } from '#charts/entries-verdict.tsx'
import { exitWords, heldWords } from '#entities/bots/trade-words.ts'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { FundingLine } from '#entities/runs/funding-line.tsx'
import { useRunCandles } from '#entities/runs/run-candles.ts'
import { formatPrice } from '#kit/format/money.ts'
import { formatCount, formatCounted, formatFixed } from '#kit/format/number.ts'
import { formatBps, formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { formatDate, formatDateRange, formatSpan, formatTableTimeYear, zoneWords } from '#kit/format/time.ts'
import { useFirstRows } from '#kit/ui/button.tsx'
import { Card, EmptyLine, SkeletonGroup } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Evidence } from '#kit/ui/facts.tsx'
import { Gain, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { costBpsOf, useEditor } from './rule-form.ts'
import { ruleLines } from './rule-lines.ts'
import css from './rule-page.module.css'

const LAST_CANDLES = 260
/** Before them, for lines: a chart draws 10,000 in all. */
const MOST_BEFORE = 9000

const medianOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

/** What a rule would have done, in a sentence and four figures. */
export function RulePreviewVerdict({ preview, isOld }: { preview: RulePreview; isOld: boolean }) {
  const { metrics, investedPct, randomEntries, trials, winInterval } = preview
  return (
    <EntriesVerdict entries={randomEntries} isBusy={isOld}>
      <Evidence label="Trades" value={formatCount(metrics.trades)}>
        won {formatSharePct(metrics.winRate)}
        {winInterval != null && ` (${winInterval.map((share) => formatFixed(100 * share, 0)).join('–')})`}
      </Evidence>
      <Evidence label="Time invested" value={formatSharePct(investedPct)}>
        {preview.trades.length === 0
          ? formatCounted(preview.candles, 'candle')
          : `median ${formatSpan(medianOf(preview.trades.map(({ entryTime, exitTime }) => exitTime - entryTime)))}`}
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

const SPANS = { last: `Last ${LAST_CANDLES}`, all: 'All' }

/** Where a rule would have acted, and its trades. */
export function RulePreviewCards({ preview }: { preview: RulePreview }) {
  const { form, rule, market: marketType } = useEditor()
  const initialBalance = form.initialBalance ?? 0
  const { symbol, timeframe, from, to, trades, equityCurve } = preview
  const market = useMarketOf(symbol)
  const [span, setSpan] = useState<keyof typeof SPANS>('last')
  const [chosen, setChosen] = useState<{ readonly of: RulePreview; readonly trade: Trade } | null>(null)
  const { rows, lines, startTime, isPending, error } = useActedCandles(preview, rule, span === 'last')
  const input = useMemo(
    () =>
      rows.length === 0
        ? null
        : {
            candles: rows,
            // Of what lies before the candles the chart draws nothing; the drawdown is from the peak there too.
            trades,
            openPosition: null,
            equity: equityCurve,
            predictions: [],
            initialBalance,
            seen: [],
            lines,
          },
    [rows, lines, trades, equityCurve, initialBalance],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart of other candles has to be moved again
  const lookAt = useMemo(
    () => (chosen?.of === preview ? { fromMs: chosen.trade.entryTime, toMs: chosen.trade.exitTime } : null),
    [chosen, preview, input],
  )
  const shown = formatDateRange(startTime, to)
  return (
    <>
      <FundingLine marketType={marketType} assumed={preview.fundingAssumed} />
      <Card
        title="Where it would have acted"
        facts={startTime === from ? shown : `${shown} of ${formatDateRange(from, to)}`}
        actions={<ToggleGroup label="Candles" size="small" value={span} onChange={setSpan} choices={SPANS} />}
      >
        <ChartLegend items={[...lines.map(({ name, look }) => ({ pattern: look, word: name })), ...LEGEND]} />
        {input !== null ? (
          <BacktestChart
            input={input}
            tickSize={market?.tickSize}
            quote={market?.quote ?? 'USDT'}
            summary={`${symbol} ${timeframe}, ${shown}. In all ${formatCounted(preview.metrics.trades, 'trade')}, ${formatChangePct(preview.metrics.totalReturnPct)}.`}
            lookAt={lookAt}
          />
        ) : isPending ? (
          <SkeletonGroup label="Loading the chart" height={480} />
        ) : (
          <Text tone="text2">{error?.message ?? 'No candles are stored for this range.'}</Text>
        )}
        <Overview preview={preview} startTime={startTime} />
        <Note as="p" above={1}>
          The last {formatCounted(preview.hiddenCandles, 'candle')} stay hidden here, a fifth of all: a rule that was
          shaped by looking at them could not be judged by them.
        </Note>
      </Card>
      <TradeList
        preview={preview}
        tickSize={market?.tickSize}
        onShow={(trade) => {
          if (trade.exitTime < startTime) setSpan('all')
          setChosen({ of: preview, trade })
        }}
      />
    </>
  )
}

/** The candles that the chart draws, with the rule's lines: the last ones, or all, which are coarser where they are many. */
function useActedCandles({ symbol, timeframe, from, to }: RulePreview, rule: Rule, isLast: boolean) {
  const stepMs = TIMEFRAME_MS[timeframe]
  const startTime = isLast ? Math.max(from, to - (LAST_CANDLES - 1) * stepMs) : from
  const linesFrom = isLast ? startTime - Math.min(loadedCandles(rule), MOST_BEFORE) * stepMs : from
  const { data, isPending, error } = useRunCandles({ symbol, timeframe, startTime: linesFrom, endTime: to }, true)
  const drawn = useMemo(() => {
    const loaded = data?.rows ?? []
    const seen = loaded.findIndex(([t]) => t >= startTime)
    const first = seen < 0 ? loaded.length : seen
    // Of coarser candles an indicator is another one.
    const lines = data?.timeframe === timeframe ? ruleLines(rule, loaded, timeframe) : []
    return {
      rows: loaded.slice(first),
      lines: lines.map((line) => ({ ...line, values: line.values.slice(first) })),
    }
  }, [data, rule, timeframe, startTime])
  return { ...drawn, startTime, isPending, error }
}

const MOST_OVERVIEW_POINTS = 500

/** All candles, those that are drawn, when it held something, and what stays unseen. */
function Overview({ preview, startTime }: { preview: RulePreview; startTime: number }) {
  const { symbol, timeframe, from, to, candles, hiddenCandles, trades, metrics } = preview
  const { data } = useRunCandles({ symbol, timeframe, startTime: from, endTime: to }, true)
  const rows = data?.rows ?? []
  const every = Math.ceil(rows.length / MOST_OVERVIEW_POINTS)
  const line = rows.filter((_, k) => k % every === 0)
  const closes = line.map(([, , , , close]) => close)
  const [low, high] = [Math.min(...closes), Math.max(...closes)]
  const x = (ms: number) => (100 * (Math.max(from, ms) - from)) / (to - from)
  const y = (close: number) => 2 + 26 * ((high - close) / (high - low || 1))
  return (
    <div aria-hidden>
      <div className={css.overview}>
        <svg aria-hidden viewBox="0 0 100 40" preserveAspectRatio="none" style={{ flexGrow: candles }}>
          <rect className={css.drawn} x={x(startTime)} width={100 - x(startTime)} height={40} />
          <polyline points={line.map(([ms, , , , close]) => `${x(ms).toFixed(2)},${y(close).toFixed(1)}`).join(' ')} />
          {trades.map(({ entryTime, exitTime }, k) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a trade is its place
              key={k}
              className={css.held}
              x={x(entryTime)}
              width={Math.max(0.15, x(exitTime) - x(entryTime))}
              y={32}
              height={8}
            />
          ))}
        </svg>
        <div className={css.unseen} style={{ flexGrow: hiddenCandles }} />
      </div>
      <Row gap={1} between>
        <Note as="span">
          {formatDate(from)}
          {trades[0] && trades.length < metrics.trades && `; trades since ${formatDate(trades[0].entryTime)}`}
        </Note>
        <Note as="span">kept unseen: last 20%</Note>
      </Row>
    </div>
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
  const costBps = costBpsOf(useEditor().form)
  const { shown, foot } = useFirstRows(trades.toReversed(), FIRST_SHOWN)
  const columns: Column<RulePreview['trades'][number]>[] = [
    { head: 'Entered', cell: ({ entryTime }) => formatTableTimeYear(entryTime), keep: true, whole: true },
    { head: 'Left', cell: ({ exitTime }) => formatTableTimeYear(exitTime), whole: true, quiet: true },
    { head: 'Duration', cell: heldWords, figure: true, quiet: true },
    { head: 'Entry price', cell: ({ entryPrice }) => formatPrice(entryPrice, tickSize), figure: true },
    { head: 'Exit price', cell: ({ exitPrice }) => formatPrice(exitPrice, tickSize), figure: true },
    {
      head: 'Net, %',
      figure: true,
      keep: true,
      cell: ({ netPnL, entryPrice, quantity }) => <Gain strong of={(100 * netPnL) / (entryPrice * quantity)} />,
    },
    { head: 'Why it left', cell: (trade) => trade.because ?? exitWords(trade), quiet: true },
  ]
  return (
    <Card
      title="Last trades"
      facts={`${formatCount(shown.length)} of ${formatCount(metrics.trades)}${costBps === null ? '' : ` · after ${formatBps(costBps)} a side`}`}
      actions={<Note>Times in {zoneWords()}</Note>}
      flush
    >
      {shown.length === 0 ? (
        <EmptyLine>No trade was made on these candles.</EmptyLine>
      ) : (
        <DataTable
          label="Last trades of the rule"
          columns={columns}
          rows={shown}
          rowKey={({ entryTime, exitTime }, k) => `${entryTime} ${exitTime} ${k}`}
          rowName={({ entryTime }) => `the trade of ${formatTableTimeYear(entryTime)}`}
          onRow={{ words: 'Show on the chart', press: onShow }}
        />
      )}
      {foot}
    </Card>
  )
}
